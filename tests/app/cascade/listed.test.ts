// An issue in a listing, read back as a page reads it, equals the created one to the byte.
import fc from '../../properties.ts';
import MarkdownIt, { type Token } from 'markdown-it';
import { expect, test } from 'vitest';
import type { Action } from '../../../src/app/cascade/issue-plan.ts';
import { parseReply } from '../../../src/app/cascade/parse-reply.ts';
import { actionDetails } from '../../../src/app/cascade/action-details.ts';
import { issueBody } from '../../../src/app/comments/issue-end.ts';
import { listingComments } from '../../../src/app/comments/listing.ts';
import { block } from '../../dialogue/script.ts';
import { listingFacts } from '../comments/view.ts';

type Issues = Extract<Action, { action: 'create_issues' }>;

/** The action as it is read from a layer's reply; undefined where it is not taken. */
function asked(...list: object[]): Issues | undefined {
  const { actions } = parseReply(block({ action: 'create_issues', issues: list }), {
    id: 'team-lead',
    may: ['create_issues'],
  });
  const [action] = actions;
  return action?.action === 'create_issues' ? action : undefined;
}

const markdown = new MarkdownIt({ html: true, linkify: true, breaks: true });

interface Listed {
  title: string;
  names: string[];
  body: string;
}

/** The labels in the line of an issue, and whom it is assigned to. */
function namesIn(line: readonly Token[]): string[] {
  const names: string[] = [];
  let named = false;
  for (const { type, content } of line) {
    if (type === 'text') named = / · (?:labels|assigned to) $/.test(content) || (named && content === ', ');
    if (type === 'code_inline' && named) names.push(content);
  }
  return names;
}

/** The issues of an action out of the comments that list it. */
function listed(action: Action): Listed[] {
  const comments = listingComments(
    [{ id: 'a1', layer: 'team-lead', title: 'create issues', detail: actionDetails(action) }],
    listingFacts(),
  );
  const issues: Listed[] = [];
  for (const comment of comments) {
    const tokens = markdown.parse(comment, {});
    for (const [index, token] of tokens.entries()) {
      const at = issues.at(-1);
      if (token.type === 'fence' && token.info === '' && at) at.body = token.content.replace(/\n$/, '');
      if (token.type !== 'inline' || tokens[index - 1]?.type !== 'paragraph_open') continue;
      const inside = token.children ?? [];
      const code = inside.filter(({ type }) => type === 'code_inline').map(({ content }) => content);
      if (/^\*\*\d+\.\*\* /.test(token.content))
        issues.push({ title: code[0] ?? '', names: namesIn(inside), body: '' });
      else if (token.content.endsWith(': the line above goes on.') && at)
        at.body = at.body.replaceAll(`\n${code[0]} `, '');
    }
  }
  return issues;
}

/** The foot that the bot puts below a text of its own accord. */
const foot = '\n\n<sub>Part of #7.</sub>';
const created = (body: string) => issueBody({ body, directive: 7, dependsOn: [] });

const long = 'A sentence that goes on and on, `with code` and @mia. '.repeat(40);
const bodies = {
  'a long line': long,
  'a long line, and lines that begin as one that goes on': `↪ a\n${long}\n↪↪ b`,
  'a long line between short ones': `Above.\n\n${long}\n\n- below`,
  'a long line of spaces, back-ticks and a word': `${' '.repeat(100)}\`\`\`${' '.repeat(100)}x `,
  'a long line that begins and ends with a space, in a fence': `\`\`\`\n ${'x '.repeat(100)}\n\`\`\``,
  'fences of both kinds, one left open': '~~~\n```\n~~~\n````js\nx\n',
  'back-ticks alone and in pairs': '` `` ``` a `b` ``c`',
  HTML: '<details>\n<summary>x</summary>\n<!-- y -->\n</details>',
  'CRLF, CR and other line ends': 'a\r\nb\rc\u2028d\u0085e\n\n\n\nf',
  'a Hangul filler, a Braille blank and a selector': 'a\u3164b\u115fc\uffa0d\u2800e\ufe0ff\u{e0101}',
  'tags, soft hyphens and zero widths': 'a\u{e0041}b\u00adc\u200bd\u200ce\u200df\u2060g\ufeffh',
  'bidirectional controls': 'a\u202eb\u2066c\u200fd\u061ce',
  'a flood of marks': `a${'\u0301'.repeat(300)}b`,
  'hidden characters around everything': '\u200b\n\u3164  a\n\u200b\n',
  'lines that are commands': '/approve\n  /cancel\n::error::x\n##[group]y',
  'mentions, links and closing words': '@mia ![x](https://evil.example) https://evil.example closes #5',
  'words that skip checks, trailers': '[skip ci]\n\nCo-authored-by: M <m@example.com>\nskip-checks: true',
  'emoji and joined letters': '👩‍👩‍👧 ❤️ 1️⃣ می‌خواهم क्‍ष',
};

test.for(Object.entries(bodies))('%s: the listed text is the created one', ([, body]) => {
  const action = asked({ title: 'A title', body })!;
  const [shown] = listed(action);
  expect(created(action.issues[0]!.body)).toBe(shown!.body + foot);
});

test.for([
  '``` a ` b',
  '@mia `@mia` | <img src=x>',
  '`a` and `b`',
  '[skip ci] fix: #5',
  'x\u202ey\u3164z\ufe0f',
  '*bold* [a](https://github.com/a) &amp;',
])('the title %j is listed as it is created', title => {
  const action = asked({ title, body: 'b' })!;
  expect(listed(action)[0]!.title).toBe(action.issues[0]!.title);
});

test('labels and who is assigned are listed as they are created, the domain’s label too', () => {
  const action = asked({
    title: 'A',
    body: 'b',
    labels: ['a`b', 'x\u200by'],
    assignee: 'mi\u00ada',
    domain: 'docs',
  })!;
  expect(action.issues[0]!.labels).toEqual(['a`b', 'xy']);
  expect(listed(action)[0]!.names).toEqual(['a`b', 'xy', 'domain:docs', 'mia']);
});

test.for<[string, object]>([
  ['a title that nobody sees', { title: '\u3164\u2800' }],
  ['a body that nobody sees', { body: '\u200b\u3164\n\u2800' }],
  ['a label that nobody sees', { labels: ['\u200b'] }],
  ['a label that cannot be shown', { labels: ['<!-- x -->'] }],
  ['a title that grows past what GitHub takes', { title: '@a '.repeat(66) }],
  ['a body that grows past what a comment holds', { body: '@a '.repeat(9_999) }],
  ['a run of back-ticks that would fill the comment by its fence', { body: `${'`'.repeat(12_000)}a` }],
])('%s is sent back', ([, what]) => {
  expect(asked({ title: 'A', body: 'b', ...what })).toBeUndefined();
});

test('the largest issues that are taken are listed in comments that GitHub takes', () => {
  const paths = Array.from({ length: 100 }, (_, n) => `${n}${'p'.repeat(296)}`);
  const labels = Array.from({ length: 20 }, (_, n) => `${n}${'l'.repeat(48)}`);
  const body = `${'x'.repeat(161)}\n\n`.repeat(184).slice(0, 29_900);
  const action = asked({ title: 't'.repeat(200), body, paths, labels }, { title: 'B', body })!;
  const comments = listingComments(
    [{ id: 'a1', layer: 'team-lead', title: 'create issues', detail: actionDetails(action) }],
    listingFacts({ issues: 2 }),
  );
  for (const comment of comments) expect(comment.length).toBeLessThan(65_000);
});

test('property: of any texts, title and body are listed as they are created', () => {
  const piece = fc.oneof(
    fc.constantFrom(...Object.values(bodies).map(body => body.slice(0, 200))),
    fc.constantFrom(
      '`',
      '```',
      '````',
      '~~~',
      '~~~~',
      ' ',
      '    ',
      '\t',
      '\n',
      '\r\n',
      '\r',
      '- ',
      '> ',
      '1. ',
      '|',
      '\\',
    ),
    fc.constantFrom(
      '<!--',
      '-->',
      '<b>',
      '</pre>',
      '&amp;',
      '[a]: b',
      '![',
      '](',
      '/approve',
      '::',
      '===',
      '---',
      '#',
    ),
    fc.constantFrom(
      '\u200b',
      '\u200d',
      '\ufe0f',
      '\u3164',
      '\u2800',
      '\u00ad',
      '\u202e',
      '\u{e0041}',
      '\u0301',
      '\x1b[',
      '\0',
    ),
    fc.integer({ min: 100, max: 400 }).map(length => 'long words '.repeat(length / 11)),
    fc.string({ maxLength: 5, unit: 'binary' }),
  );
  const texts = fc.array(piece, { minLength: 1, maxLength: 25 }).map(parts => parts.join(''));
  fc.assert(
    fc.property(texts, texts, (title, body) => {
      const action = asked({ title: title.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '').slice(0, 150), body });
      fc.pre(action !== undefined);
      const [shown, ...more] = listed(action);
      expect(more).toEqual([]);
      expect(created(action.issues[0]!.body)).toBe(shown!.body + foot);
      expect(action.issues[0]!.title).toBe(shown!.title);
    }),
    { numRuns: 400 },
  );
});

test.each([
  [{ candidates: 2 }, '### Approve? 1 issue, 2 candidates each\n'],
  [{ candidates: 1 }, '### Approve? 1 issue\n'],
  [{ candidates: 2, parallel: 0 }, '### Approve? 1 issue\n'],
])('the first line of a listing: %o', (facts, line) => {
  const [comment] = listingComments([], listingFacts(facts));
  expect(comment).toContain(line);
});
