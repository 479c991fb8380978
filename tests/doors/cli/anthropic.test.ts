// The whole path with the real SDK against a local server of the Messages API: what is sent, what it costs, what fails
// in the middle, and where the key must not be.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { rowOf } from '../../../src/engine/models/table.ts';
import { organisationApi, type Task, usage } from '../library/organisation-api.ts';
import { endAll, runCli } from './run-cli.ts';
import { board, commentsOf, pullsOf, type Serving, sample, serving } from './serving.ts';
import { Visitor } from '../../visitor.ts';

const temporary = mkdtempSync(join(tmpdir(), 'echelon-model-test-'));
afterEach(endAll);
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

const apiKey = 'sk-ant-api03-Zq7vNotAKeyOfAnyoneButLongEnoughToBeFound00-AA';
/** With a key the App wants what its code is run in to be kept apart from it. */
const isolated = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-pid', 'true']).status === 0;
const unless = isolated ? '' : ' (skipped: bubblewrap does not work here)';

/** USD of `calls` calls of a model that each used `usage`. */
function cost(model: string, calls: number): number {
  const { input = 0, output = 0, cache_read = 0, cache_write = 0 } = rowOf(model).price;
  const each =
    usage.input_tokens * input +
    usage.output_tokens * output +
    usage.cache_read_input_tokens * cache_read +
    usage.cache_creation_input_tokens * cache_write;
  return (each * calls) / 1e6;
}
const strategist = cost('claude-opus-5-5', 2);
const lead = cost('claude-sonnet-5-5', 1);
const engineer = cost('claude-sonnet-5-5', 4);
const shown = (usd: number) => `$${usd.toFixed(2)}`;

/** Every file below `folder`, and every object of every git repository in it, unpacked. */
function contents(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
  const objects = entries
    .filter(entry => entry.isDirectory() && entry.name === 'objects')
    .map(entry =>
      execFileSync('git', ['cat-file', '--batch', '--batch-all-objects'], {
        env: { ...process.env, GIT_DIR: entry.parentPath },
        encoding: 'latin1',
        maxBuffer: 1 << 28,
      }),
    );
  return [...files.map(file => `${file}\n${readFileSync(file, 'latin1')}`), ...objects];
}

/** Everything that the forge shows of the sample to people and programs. */
async function shownBy(at: Serving): Promise<string[]> {
  const visitor = new Visitor(at.url, at.key);
  const texts: string[] = [];
  const issues = (await at.api('GET', `${sample}/issues?state=all`)) as {
    number: number;
    pull_request?: object;
  }[];
  for (const issue of issues) {
    texts.push(JSON.stringify([issue, await commentsOf(at, issue.number)]));
    texts.push((await visitor.read(`/you/sample/issues/${issue.number}`)).text);
    if (!issue.pull_request) continue;
    texts.push(JSON.stringify(await at.api('GET', `${sample}/pulls/${issue.number}/files`)));
    texts.push((await visitor.read(`/you/sample/pull/${issue.number}`)).text);
  }
  return [...texts, (await visitor.read('/deliveries')).text];
}

describe('npm start with a key', () => {
  test.skipIf(!isolated)(
    `survives a cut, a 529 and a 429, opens the draft, shows what it cost, and tells the key to nobody${unless}`,
    { timeout: 60_000 },
    async () => {
      await using service = await organisationApi({
        '2ic': ['cut'],
        'eng-lead': ['overloaded'],
        'engineer.director': ['rate limited'],
      });
      const data = join(temporary, 'data');
      const at = await serving(['--port', '0', '--data', data], {
        env: { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: service.url },
      });
      try {
        await at.api('POST', `${sample}/issues`, { title: 'A note', body: 'Write it.', labels: ['echelon'] });
        await board(at, 1, 'waiting');
        await at.api('POST', `${sample}/issues/1/comments`, { body: '/approve' });
        const { body } = await board(at, 1, 'completed');

        const order: Task[] = [];
        for (const { task } of service.asked) if (order.at(-1) !== task) order.push(task);
        expect(order).toEqual(['2ic', 'eng-lead', 'team-lead', 'engineer.director', 'engineer.evaluator']);
        const count = (task: Task) => service.asked.filter(each => each.task === task).length;
        expect(order.map(count)).toEqual([3, 2, 1, 4, 1]);

        expect(body).toContain(`${shown(strategist + 2 * lead + engineer)} of $50.00`);
        expect(body).toMatch(new RegExp(`\\| done \\| 2 \\| \\${shown(strategist)} \\|`));
        expect(body).toContain(`| #3 | ${shown(engineer)} (est. `);
        expect(body).not.toContain('scripted');
        const [pull, ...others] = await pullsOf(at);
        expect(others).toEqual([]);
        expect(pull).toMatchObject({ number: 3, draft: true, title: 'Write the note' });
        expect(pull?.body).toContain('`npm test` exited 0');
        expect(pull?.body).toContain(` · ${shown(engineer)} · isolation \`bubblewrap\``);

        for (const { task, body: sent } of service.asked) {
          expect(sent.model).toBe(task === '2ic' ? 'claude-opus-5-5' : 'claude-sonnet-5-5');
          // No second call is likely of the team lead, and of the evaluator of a run's only issue.
          const isOnce = task === 'team-lead' || task === 'engineer.evaluator';
          const mark = isOnce ? undefined : { type: 'ephemeral' };
          expect(sent.system[0]?.cache_control, task).toEqual(mark);
          expect(sent.messages.at(-1)?.content.at(-1)?.cache_control, task).toEqual(mark);
        }
        const probe = service.asked.filter(({ task }) => task === 'engineer.director').at(-1);
        expect(JSON.stringify(probe?.body)).toMatch(/PATH=/);
        for (const { headers, path, body: sent } of service.asked) {
          const { authorization, ...rest } = headers;
          expect(authorization).toBe(`Bearer ${apiKey}`);
          expect(JSON.stringify([path, rest, sent])).not.toContain(apiKey);
        }
        for (const text of await shownBy(at)) expect(text.includes(apiKey), text.slice(0, 200)).toBe(false);
      } finally {
        at.kill('SIGTERM');
        await at.ended;
      }
      expect(at.ran.stdout + at.ran.stderr).not.toContain(apiKey);
      for (const text of contents(data)) expect(text.includes(apiKey), text.slice(0, 200)).toBe(false);
    },
  );
});

describe('npm run demo -- --model anthropic', () => {
  test.skipIf(!isolated)(
    `plays the path with the real SDK, and records what plays to the same end${unless}`,
    {
      timeout: 90_000,
    },
    async () => {
      await using service = await organisationApi();
      const keep = join(temporary, 'kept');
      const record = join(temporary, 'recorded.json');
      const ran = await runCli(
        ['demo', '--model', 'anthropic', '--json', '--keep', keep, '--record', record],
        {
          env: { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: service.url },
        },
      );
      expect(ran.code, ran.stderr).toBe(0);
      const outcome = JSON.parse(ran.stdout.trim().split('\n').at(-1) ?? '');
      const total = strategist + 2 * lead + engineer;
      expect(outcome).toMatchObject({
        run: { status: 'completed', cost_usd: Math.round(total * 1e6) / 1e6 },
        issues: [{ title: 'Write the note', state: 'done' }],
        pulls: [{ draft: true, tests: { command: 'npm test', exit_code: 0 } }],
        calls: { model: service.asked.length },
        isolation: 'bubblewrap',
      });
      expect(ran.stdout + ran.stderr).not.toContain(apiKey);
      for (const text of contents(keep)) expect(text.includes(apiKey), text.slice(0, 200)).toBe(false);

      expect(readFileSync(record, 'utf8')).not.toContain(apiKey);
      expect(readdirSync(temporary)).not.toContain('recorded.json.calls');
      const played = await runCli(['demo', '--json', '--script', record]);
      expect(played.code, played.stderr).toBe(0);
      const again = JSON.parse(played.stdout.trim().split('\n').at(-1) ?? '');
      const ended = ({ run, issues, calls }: typeof outcome) => {
        const { branch: _, ...issue } = issues[0];
        return [run.cost_usd, issue, calls.model];
      };
      expect(ended(again)).toEqual(ended(outcome));
    },
  );

  test('a key that is refused ends it with a sentence that does not repeat the key', {
    timeout: 30_000,
  }, async () => {
    await using service = await organisationApi({ '2ic': ['refused'] });
    const ran = await runCli(['demo', '--model', 'anthropic', '--json'], {
      // No code of a model runs here, so it need not be kept in: the test holds without bubblewrap too.
      env: { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_BASE_URL: service.url, ECHELON_ISOLATION: 'none' },
    });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('set ANTHROPIC_API_KEY anew');
    expect(ran.stdout + ran.stderr).not.toContain(apiKey);
    expect(service.asked).toHaveLength(1);
  });
});
