// No input by others holds the event loop: the time of every reader grows with the text and not with its square.
// A new reader of what people, models or repositories write gets a row here.
import { describe, expect, test } from 'vitest';
import { parseReply } from '../../src/app/cascade/parse-reply.ts';
import { prose } from '../../src/app/cascade/reply-blocks.ts';
import { parseCommands } from '../../src/app/commands/parse.ts';
import { layerReplies } from '../../src/app/comments/layer-reply.ts';
import { issueDetail } from '../../src/app/comments/listing.ts';
import { clip, fenced, neutral, neutralLine } from '../../src/app/comments/neutral.ts';
import { eventOf } from '../../src/app/events/parse.ts';
import { parseReply as parseEnvelope } from '../../src/engine/language/envelope/reply.ts';
import { parseProgram } from '../../src/engine/language/program.ts';
import { fencedOff, quoteForModel, quoted, quotedLine } from '../../src/engine/language/quote.ts';
import { smallDiffs, trimLog, wholeDiff } from '../../src/engine/language/trim.ts';
import { readGlob } from '../../packages/ground/lib/glob-match.ts';
import { bracketEnd, colonsIn, nestingOf, partsIn } from '../../packages/ground/lib/json-scan.ts';
import { layers } from '../../src/app/layers.ts';
import { inlineCode, markdownLines } from '../../packages/ground/lib/markdown.ts';
import { masker } from '../../packages/ground/lib/mask.ts';
import { didYouMean } from '../../packages/ground/lib/nearest.ts';
import { readReply } from '../../src/engine/reasoning/operations/read-operations.ts';
import { decodeSegment } from '../../packages/ground/journal/codec.ts';
import { parseConfig } from '../../src/app/config/config-file.ts';
import { templateProblems } from '../../src/app/run/templates.ts';
import { admit } from '../../src/app/scheduler/admit.ts';
import { standsOn } from '../../src/app/scheduler/dependencies.ts';
import type { ScheduledIssue } from '../../src/app/scheduler/slots.ts';
import { domainOf } from '../../src/app/scheduler/domains.ts';
import { canMeet, effortOfDecision } from '../../src/app/scheduler/globs.ts';
import { bundleLimits, nameFaults } from '../../packages/ground/workspace/index-changes.ts';
import { fold, linkFault, pathFault } from '../../packages/ground/workspace/paths.ts';
import { excerpt, matchFiles } from '../../src/engine/runtime/tools/search.ts';
import { cpuNow, cpuTime, expectLinear } from '../cpu-time.ts';
import { COMMENT, shapes } from './shapes.ts';

/** Longest reply of a model: 32,000 tokens. */
const REPLY = 131_072;

/** A turn that is short: of so many one is not worth a word. */
const SHORT = 1 / 4;

/** Share of the processor time of `work` that the longest turn of the event loop has. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  const start = cpuNow();
  let longest = 0;
  let last = start;
  let over = false;
  const look = () => {
    longest = Math.max(longest, cpuNow() - last);
    last = cpuNow();
    if (!over) setImmediate(look);
  };
  setImmediate(look);
  await work().catch(() => {});
  look();
  over = true;
  return longest / (last - start);
}

const mark = `<!-- echelon:record v=1 run=a seq=1 prev=- mac=${'A'.repeat(43)}=\n`;
const key = new TextEncoder().encode('a key that is 32 characters long');
const place = { repository: 7, issue: 3 };
const mask = masker(['a-secret-value', '-----BEGIN KEY-----\nabcdefgh\nijklmnop\n-----END KEY-----']);
const outputs = [{ name: 'x', type: 'json', nullable: true }] as const;
const [, , teamLead] = layers;
const endless = () => ({ left: Number.POSITIVE_INFINITY });
const said = (body: string) => ({
  action: 'created',
  repository: { id: 1, name: 'r', owner: { login: 'o' } },
  sender: { login: 'a', type: 'User' },
  issue: { number: 1 },
  comment: { id: 1, body, user: { login: 'a', type: 'User' }, created_at: '', updated_at: '' },
});

/** Most characters that the reader is given, and the reader. */
const readers: Record<string, [length: number, read: (text: string) => unknown]> = {
  'the configuration': [32_768, text => parseConfig(text)],
  'the configuration, a value': [32_000, text => parseConfig(`test: ${JSON.stringify(text)}`)],
  'a configuration that is too large': [4 * COMMENT, text => parseConfig(text)],
  'the commands of a comment': [COMMENT, parseCommands],
  'the commands of a comment that begins with one': [
    COMMENT - 9,
    text => parseCommands(`/status\n\n${text}`),
  ],
  'the commands of a comment, each line of which is one': [
    COMMENT / 2,
    text => parseCommands(text.replaceAll(/^|[^/]{4}/g, part => `${part}\n/b`).slice(0, COMMENT)),
  ],
  'the lines of a Markdown text': [COMMENT, markdownLines],
  'inline code': [COMMENT, inlineCode],
  'a neutral text': [COMMENT, neutral],
  'a neutral line': [COMMENT, text => neutralLine(text)],
  'a code block': [COMMENT, fenced],
  'a text that is cut': [COMMENT, text => clip(text, Math.ceil(text.length / 6))],
  'a text for a model': [COMMENT, quoteForModel],
  'a text for a model, quoted': [COMMENT, text => [quoted(text), fencedOff(text), quotedLine(text)]],
  'a comment that is reported': [COMMENT, text => eventOf('issue_comment', said(text))],
  'an event nobody knows': [COMMENT, text => eventOf(text, said(''))],
  'a template': [262_144, text => parseProgram(text, 'x.xml')],
  'the text of a template': [
    262_000,
    text => parseProgram(`<task><description>${text}</description></task>`, 'x.xml'),
  ],
  'a template in S-expressions': [262_144, text => parseProgram(text, 'x.task')],
  'the inside of a template in S-expressions': [262_000, text => parseProgram(`(task ${text}`, 'x.task')],
  'the text of a template in S-expressions': [
    262_000,
    text => parseProgram(`(task (description "${text}"))`, 'x.task'),
  ],
  'the reply of a layer': [REPLY, text => parseReply(text, teamLead!)],
  'the prose of a reply': [REPLY, prose],
  'an action block': [REPLY, text => parseReply(`\`\`\`json\n${text}\n\`\`\``, teamLead!)],
  'the operations of a reply': [REPLY, readReply],
  'an envelope': [COMMENT, text => parseEnvelope(text, [...outputs])],
  'the content of an envelope': [
    COMMENT,
    text => parseEnvelope(`<result status="COMPLETE"><content>${text}`, [...outputs]),
  ],
  'a JSON text that is scanned': [
    4 * COMMENT,
    text => [nestingOf(text), bracketEnd(text, 0), colonsIn(text), partsIn(text)],
  ],
  'a comment that may hold a record': [COMMENT, text => decodeSegment(text, place, [key])],
  'a record that nobody signed': [COMMENT, text => decodeSegment(mark + text, place, [key])],
  'a diff': [1 << 20, text => [smallDiffs(text, 1000), wholeDiff(text, 1000)]],
  'a log': [262_144, text => trimLog(text)],
  'the domain of an issue': [
    COMMENT,
    text => domainOf({ title: text.slice(0, 256), labels: [text.slice(0, 50)], body: text, paths: [] }),
  ],
  'a name that is near to others': [
    COMMENT,
    text =>
      didYouMean(
        text.slice(0, 60),
        Array.from({ length: text.length / 128 }, (_, n) => text.slice(0, 58) + n),
      ),
  ],
  'the name of a path': [COMMENT, text => [pathFault(text), fold(text)]],
  'the target of a link': [COMMENT, text => linkFault('a/b', text)],
  'a glob of a repository': [200, text => readGlob(text)?.covers('a/b'.repeat(1365), endless())],
  'an issue in a listing': [
    30_000,
    text =>
      issueDetail({
        ...{ place: 1, title: text.slice(0, 200), body: text, domain: 'tests' },
        ...{ labels: [], dependsOn: [], paths: [] },
      }),
  ],
  'a text in which secrets are masked': [262_144, mask],
  'a file that is read': [1 << 20, text => excerpt(text)],
};

/** Shapes that take a reader longest, at half of that length, of which it is looked how their time grows. */
const EXAMINED = 4;

describe.for(Object.entries(readers))('%s', ([, [length, read]]) => {
  test(`of ${length} characters takes a time that grows with them`, () => {
    const slowest = shapes
      .map(([name, make]) => {
        const text = make(length / 2);
        return { name, make, ms: cpuTime(() => read(text)) };
      })
      .toSorted((a, b) => b.ms - a.ms)
      .slice(0, EXAMINED);
    for (const { name, make } of slowest) expectLinear(read, make, length, name);
  });
});

const json = (value: unknown) => `\`\`\`json\n${JSON.stringify(value)}\n\`\`\``;
const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));

/** Inputs made for one reader: how many of something, the reader, and the input with so many. */
const special: Record<
  string,
  [count: number, read: (text: string) => unknown, make: (count: number) => string]
> = {
  '20,000 unknown keys of a configuration': [
    20_000,
    parseConfig,
    count => times(count, n => `k${n}: 1`).join('\n'),
  ],
  '1,300 unknown keys of a configuration': [
    1300,
    parseConfig,
    count => times(count, n => `key-${n}: 1`).join('\n'),
  ],
  'templates that are as long as they may be together': [
    1900,
    text => templateProblems([], [{ file: 'a.xml', text }]),
    template,
  ],
  'an output of 12,000 objects that all have to differ': [
    12_000,
    text => parseEnvelope(text, [{ name: 'a', type: 'json', nullable: false, schema: differing }]),
    count => JSON.stringify({ a: times(count, n => ({ b: n })) }),
  ],
  'a list of 40,000 actions': [
    40_000,
    text => parseReply(text, teamLead!),
    count => json(times(count, () => ({}))),
  ],
  'an action with 40,000 issues': [
    40_000,
    text => parseReply(text, teamLead!),
    count => json({ action: 'create_issues', issues: times(count, () => ({})) }),
  ],
  'an issue with 60,000 labels': [
    60_000,
    text => parseReply(text, teamLead!),
    count => json({ action: 'create_issues', issues: [{ labels: times(count, () => '') }] }),
  ],
  'a reply of 9,000 blocks, as it is shown': [
    9_000,
    text =>
      layerReplies([
        {
          ...{ layer: 'team-lead', prose: '', ignored: parseReply(text, teamLead!).ignored, drafts: '' },
          ...{ faults: [], dropped: [], asked: [], model: 'm', ms: 1, cost_usd: 0 },
        },
      ]),
    count => '```json\n{}\n```\n'.repeat(count),
  ],
};

const differing = { type: 'array', uniqueItems: true };

function template(tasks: number): string {
  const step = (at: number) => `<task name="s${at}"><description>Do ${at} with {{x}}</description></task>`;
  return `<task type="sequential" name="t"><steps>${times(tasks, step).join('')}</steps></task>`;
}

test.for(Object.entries(special))('%s: the time grows with them', ([, [count, read, make]]) => {
  expectLinear(read, make, count);
});

test('a comparison of two globs takes a share of a decision, whatever they are', () => {
  const whole = effortOfDecision().left;
  for (const [name, make] of shapes) {
    const effort = effortOfDecision();
    canMeet(make(300), `**/*${make(290)}z`, effort);
    expect(whole - effort.left, name).toBeLessThan(whole / 2);
  }
});

describe('fifty issues with many paths', () => {
  const issues = (path: (issue: number, n: number) => string, count: number): ScheduledIssue[] =>
    times(50, at => ({
      number: at + 1,
      domain: 'backend',
      dependsOn: [],
      state: at < 20 ? 'running' : 'pending',
      paths: times(count, n => path(at, n)),
    }));
  test.for<[string, (issue: number, n: number) => string]>([
    ['that any file may meet', (_at, n) => `**/*a${'*b'.repeat(120)}${n}`],
    ['literal, in folders of their own', (at, n) => `src/${at}/file-${n}.ts`],
    ['wild, with different ends', (at, n) => `**/${'?'.repeat(100)}*${at}-${n}.x`],
  ])('%s', ([, path]) => {
    const make = (count: number) => issues(path, count);
    expectLinear(all => admit(all, 20, 'serial'), make, 100);
    const done = (count: number) => make(count).map(issue => ({ ...issue, state: 'done' as const }));
    expectLinear(all => standsOn(all[0]!, all, 'serial'), done, 100);
  });
});

test('30 files held against 20 globs that match nearly everything: each turn is short', async () => {
  const paths = Array.from({ length: 30 }, (_, n) => `${'a'.repeat(200)}/`.repeat(19) + n);
  const protectedPaths = Array.from({ length: 20 }, (_, n) => `${'*a'.repeat(30)}b${n}`);
  const rules = { limits: bundleLimits, protectedPaths, secrets: [] };
  expect(await longestTurn(() => nameFaults(paths, rules))).toBeLessThan(SHORT);
});

test('more files than are allowed: no glob is asked', async () => {
  const paths = Array.from({ length: 101 }, (_, n) => `.github/workflows/${n}.yml`);
  const rules = { limits: bundleLimits, protectedPaths: ['**'], secrets: [] };
  expect(await nameFaults(paths, rules)).toEqual([
    { path: '.github/workflows/100.yml', reason: 'is one of 101 changed files; at most 100 are allowed' },
  ]);
});

test('a dear pattern over 2,000 files: each turn is short', async () => {
  const files = Array.from({ length: 2000 }, (_, n) => `${'a'.repeat(60)}/${'a'.repeat(60)}${n}`);
  expect(await longestTurn(() => matchFiles(files, undefined, `**/${'*a'.repeat(30)}z`))).toBeLessThan(SHORT);
});
