import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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
describe.each([
  {
    folder: 'sample',
    issues: [
      'backend: Search the books by title and author',
      'frontend: Show how far along each book is',
      'frontend: Put a search form on the page (after 1)',
      'docs: Document searching and progress',
    ],
  },
  {
    folder: 'sample/other',
    issues: ['backend: Print totals as hours and minutes'],
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
});

/** Drafts of the engineering lead in a story. */
function draftsIn(replies: readonly Reply[]): Drafts {
  const { text = '' } = replies.find(reply => reply.for === 'eng-lead' && reply.text !== undefined) ?? {};
  const lead = layers.find(({ id }) => id === 'eng-lead');
  return draftsOf(lead && parseReply(text, lead).drafted?.list);
}
