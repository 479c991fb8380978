// Holds the sample stories to what a demo needs of them: real tests, a script whose edits apply, one honest failure.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import picomatch from 'picomatch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Drafts, draftsOf } from '../src/app/cascade/drafts.ts';
import { parseReply } from '../src/app/cascade/parse-reply.ts';
import { prose } from '../src/app/cascade/reply-blocks.ts';
import { layers } from '../src/app/layers.ts';
import { type ToolName, toolInputs } from '../src/engine/language/tool.ts';
import { readReply } from '../src/engine/reasoning/operations/read-operations.ts';

const count = z.int().min(0);
const Script = z.strictObject({
  version: z.literal(1),
  replies: z.array(
    z.strictObject({
      for: z.enum(['2ic', 'eng-lead', 'team-lead', 'engineer.director', 'engineer.evaluator']),
      when: z.string().min(10).optional(),
      text: z.string().min(1).optional(),
      tool_calls: z.array(z.strictObject({ name: z.string(), input: z.unknown() })).optional(),
      usage: z.strictObject({
        input_tokens: count,
        output_tokens: count,
        cache_read_tokens: count,
        cache_write_tokens: count,
        cost_usd: z.number().positive().max(0.1),
      }),
      delay_ms: z.int().max(150).optional(),
    }),
  ),
});
type Reply = z.infer<typeof Script>['replies'][number];

const Issue = z.strictObject({
  title: z.string().max(80),
  domain: z.enum(['backend', 'frontend', 'docs', 'tests', 'security', 'database', 'infrastructure']),
  depends_on: z.array(z.int().min(1)).optional(),
  paths: z.array(z.string()).min(1),
  estimate_minutes: z.int().positive(),
  body: z.string().includes('**Acceptance**\n- [ ] '),
});
interface Round {
  exitCode: number | null;
  output: string;
  success: boolean;
  feedback: string;
}

const missing = (program: string) => spawnSync(program, ['--version']).error !== undefined;

describe.each([
  {
    folder: 'sample',
    command: 'npm test',
    needs: 'npm',
    issues: [
      'backend: Search the books by title and author',
      'frontend: Show how far along each book is',
      'frontend: Put a search form on the page (after 1)',
      'docs: Document searching and progress',
    ],
    passes: [[false, true], [true], [true], [true]],
    caught: ['accents make no difference'],
  },
  {
    folder: 'sample/other',
    command: 'make test',
    needs: 'make',
    issues: ['backend: Print totals as hours and minutes'],
    passes: [[true]],
    caught: [],
  },
])('tests/$folder', story => {
  const home = join(import.meta.dirname, story.folder);
  const directive = readFileSync(join(home, 'directive.md'), 'utf8');
  const { replies } = Script.parse(JSON.parse(readFileSync(join(home, 'script.json'), 'utf8')));
  const asked = layers.map(layer => {
    const { text = '' } = replies.find(reply => reply.for === layer.id && reply.text !== undefined) ?? {};
    return { id: layer.id, parsed: parseReply(text, layer, draftsIn(replies)) };
  });
  const issues = asked.flatMap(({ parsed: { actions } }) =>
    actions.flatMap(each =>
      each.action === 'create_issues' ? each.issues.map(one => Issue.parse(one)) : [],
    ),
  );

  test('the directive has a title and a body', () => {
    expect(directive).toMatch(/^# \S.{5,}\n\n\S/);
  });

  test('every tool call fits the tool', () => {
    for (const call of replies.flatMap(reply => reply.tool_calls ?? [])) {
      toolInputs[call.name as ToolName].input.parse(call.input);
    }
  });

  test('every action is known and allowed to its layer, and every draft is taken over', () => {
    const seen = asked.map(({ id, parsed: { actions, ignored, dropped } }) => {
      expect([ignored, dropped]).toEqual([[], []]);
      return [id, actions.map(({ action }) => action)];
    });
    expect(seen).toEqual([
      ['2ic', ['update_plan']],
      ['eng-lead', ['update_plan']],
      ['team-lead', ['create_issues', 'schedule']],
    ]);
    const said = asked.flatMap(({ parsed }) => [...parsed.said.keys()]);
    expect(said).toEqual(issues.map((_issue, index) => index + 1));
  });

  test('the issues are the story told', () => {
    const told = issues.map(issue => {
      const after = issue.depends_on ? ` (after ${issue.depends_on.join(', ')})` : '';
      return `${issue.domain}: ${issue.title}${after}`;
    });
    expect(told).toEqual(story.issues);
  });

  test('a `when` occurs where it belongs and nowhere else', () => {
    const replyTexts = replies
      .filter(reply => reply.for !== 'team-lead')
      .map(reply => JSON.stringify([prose(reply.text ?? ''), reply.tool_calls]));
    const files = readdirSync(join(home, 'project'), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    const places = [directive, ...files, ...replyTexts, ...issues.map(issue => issue.title + issue.body)];
    for (const when of new Set(replies.flatMap(reply => reply.when ?? []))) {
      // A text that a prompt may escape would not be found again.
      expect(when).toMatch(/^[A-Za-z ]+$/);
      expect(
        places.filter(text => text.includes(when)),
        when,
      ).toHaveLength(1);
    }
  });

  test('nothing reads as an operation, a command or a mention', () => {
    const words = replies.map(reply => readReply(reply.text ?? ''));
    for (const { items } of words) expect(items).toEqual([]);
    for (const text of [directive, ...words.map(each => each.prose), ...issues.map(i => i.body)])
      expect(text).not.toMatch(/\{\{|^\s*\/|@|::|<!--/m);
  });

  describe.skipIf(missing(story.needs))(`played (skipped without ${story.needs})`, () => {
    const root = mkdtempSync(join(tmpdir(), 'sample-'));
    const tree = join(root, 'tree');
    const used = new Set<Reply>(replies.filter(reply => reply.when === undefined));
    const played: Round[][] = [];
    const strays: string[] = [];
    let untouched: ReturnType<typeof sh>;

    function sh(command: string) {
      const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], {
        cwd: tree,
        encoding: 'utf8',
        timeout: 20_000,
        env: {
          PATH: process.env['PATH'],
          HOME: root,
          GIT_CONFIG_NOSYSTEM: '1',
          GIT_AUTHOR_NAME: 'a',
          GIT_AUTHOR_EMAIL: 'a@example.org',
          GIT_COMMITTER_NAME: 'a',
          GIT_COMMITTER_EMAIL: 'a@example.org',
        },
      });
      return { exitCode: status, output: stdout + stderr };
    }

    function git(args: string) {
      const { exitCode, output } = sh(`git ${args}`);
      if (exitCode !== 0) throw new Error(`git ${args}: ${output}`);
      return output;
    }

    function carryOut(call: { name: string; input: unknown }) {
      const input = z.record(z.string(), z.unknown()).parse(call.input);
      const text = (key: string) => z.string().parse(input[key]);
      const file = () => join(tree, text('path'));
      if (call.name === 'read_file') readFileSync(file());
      else if (call.name === 'list_files') readdirSync(join(tree, String(input['path'] ?? '.')));
      else if (call.name === 'write_file') {
        mkdirSync(dirname(file()), { recursive: true });
        writeFileSync(file(), text('content'));
      } else if (call.name === 'edit_file') {
        const parts = readFileSync(file(), 'utf8').split(text('old_text'));
        if (parts.length !== 2)
          throw new Error(`${text('path')} has this ${parts.length - 1} times: ${text('old_text')}`);
        writeFileSync(file(), parts.join(text('new_text')));
      } else {
        expect(call.name).toBe('shell');
        const { exitCode, output } = sh(text('command'));
        if (exitCode !== 0) throw new Error(`${text('command')}: ${output}`);
      }
    }

    function take(task: Reply['for'], prompt: string): Reply {
      const reply = replies.find(r => r.for === task && !used.has(r) && r.when && prompt.includes(r.when));
      if (!reply) throw new Error(`no reply of ${task} fits: ${prompt.slice(0, 200)}`);
      used.add(reply);
      return reply;
    }

    function playIssue(issue: z.infer<typeof Issue>): Round[] {
      const rounds: Round[] = [];
      do {
        // From the second round on the script is followed by the feedback alone.
        const prompt = rounds.at(-1)?.feedback ?? issue.body;
        for (let isFinal = false; !isFinal; ) {
          const reply = take('engineer.director', prompt);
          for (const call of reply.tool_calls ?? []) carryOut(call);
          isFinal = !reply.tool_calls && readReply(reply.text ?? '').items.length === 0;
        }
        const verdict = take('engineer.evaluator', issue.body).text ?? '';
        const output = (name: string) =>
          new RegExp(`<output name="${name}">([^<]*)</output>`).exec(verdict)?.[1];
        const [success, feedback] = [output('success'), output('feedback')];
        if ((success !== 'true' && success !== 'false') || feedback === undefined) throw new Error(verdict);
        rounds.push({ ...sh(story.command), success: success === 'true', feedback });
      } while (!rounds.at(-1)!.success);
      return rounds;
    }

    beforeAll(() => {
      cpSync(join(home, 'project'), tree, { recursive: true });
      git('init -q -b main && git add -A && git commit -q -m base');
      untouched = sh(story.command);
      for (const [index, issue] of issues.entries()) {
        git(`checkout -q -b issue-${index + 1} main`);
        for (const place of issue.depends_on ?? []) git(`merge -q --no-edit issue-${place}`);
        played.push(playIssue(issue));
        const named = picomatch([...issue.paths, '.github/echelon/lessons/*.md']);
        git('add -A');
        const changed = git('diff --cached --name-only').trim().split('\n');
        strays.push(...changed.filter(path => !named(path)).map(path => `${issue.title}: ${path}`));
        git('commit -q -m work');
      }
    });
    afterAll(() => rmSync(root, { recursive: true, force: true }));

    test('the tests of the project pass as it is', () => {
      expect(untouched).toMatchObject({ exitCode: 0 });
    });

    test('each round ends as told: by the tests and by the evaluator', () => {
      expect(played.map(rounds => rounds.map(round => round.exitCode === 0))).toEqual(story.passes);
      expect(played.map(rounds => rounds.map(round => round.success))).toEqual(story.passes);
    });

    // A story without a failing round has nothing to catch.
    for (const caught of story.caught)
      test('the round that fails is caught by its own new test alone', () => {
        const { output, feedback } = played[0]![0]!;
        expect(output).toMatch(/fail 1$/m);
        expect(output).toMatch(new RegExp(`(✖|not ok \\d+ -) ${caught}`));
        expect(feedback).toContain(caught);
      });

    test('every reply is played', () => {
      expect(replies.filter(reply => !used.has(reply))).toEqual([]);
    });

    test('no issue changes files it does not name', () => {
      expect(strays).toEqual([]);
    });

    test('the branches merge without conflict, and the tests pass on all of them together', () => {
      git('checkout -q -b together main');
      for (const index of issues.keys()) git(`merge -q --no-edit issue-${index + 1}`);
      expect(sh(story.command)).toMatchObject({ exitCode: 0 });
    });
  });
});

/** Drafts of the engineering lead in a story. */
function draftsIn(replies: readonly Reply[]): Drafts {
  const { text = '' } = replies.find(reply => reply.for === 'eng-lead' && reply.text !== undefined) ?? {};
  const lead = layers.find(({ id }) => id === 'eng-lead');
  return draftsOf(lead && parseReply(text, lead).drafted?.list);
}
