// No input by others holds the event loop: every reader of it, with every text made to be dear, in processor time.
// A new reader of what people, models or repositories write gets a row here.
import { brotliCompressSync } from 'node:zlib';
import { createHmac } from 'node:crypto';
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
import { trimDiff, trimLog, wholeDiff } from '../../src/engine/language/trim.ts';
import { readGlob } from '../../src/lib/glob-match.ts';
import { bracketEnd, colonsIn, nestingOf, partsIn } from '../../src/lib/json-scan.ts';
import { layers } from '../../src/app/layers.ts';
import { inlineCode, markdownLines } from '../../src/lib/markdown.ts';
import { masker } from '../../src/lib/mask.ts';
import { didYouMean } from '../../src/lib/nearest.ts';
import { readReply } from '../../src/engine/reasoning/operations/read-operations.ts';
import { decodeSegment } from '../../src/journal/codec.ts';
import { parseConfig } from '../../src/app/config/config-file.ts';
import { templateProblems } from '../../src/app/run/templates.ts';
import { admit } from '../../src/app/scheduler/admit.ts';
import { standsOn } from '../../src/app/scheduler/stands-on.ts';
import type { ScheduledIssue } from '../../src/app/scheduler/tracked-issue.ts';
import { domainOf } from '../../src/app/scheduler/domains.ts';
import { canMeet } from '../../src/app/scheduler/globs.ts';
import { bundleLimits, nameFaults } from '../../src/workspace/index-changes.ts';
import { fold, linkFault, pathFault } from '../../src/workspace/paths.ts';
import { excerpt, matchFiles } from '../../src/engine/runtime/tools/search.ts';
import { atFullSpeed, cpuNow } from '../cpu-time.ts';
import { COMMENT, shapes } from './shapes.ts';

/** Longest that anything may keep everybody else waiting (ms of processor time). */
const MOST_MS = 50;

/**
 * Tries at most: on a machine that others use too, processor time grows with what they do to its caches. A reader that is
 * too slow is so in each of them.
 */
const RUNS = 10;

/** What a model answers at most: 32,000 tokens. */
const REPLY = 131_072;

/** The least of some runs; what it answers or throws is not looked at. */
function heldBy(work: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS && least >= MOST_MS; run++) {
    const start = cpuNow();
    try {
      work();
    } catch {
      // A refusal is an answer, too.
    }
    least = Math.min(least, cpuNow() - start);
  }
  return atFullSpeed(least, MOST_MS);
}

/** The longest time between two turns of the event loop while `work` goes on, the least of some runs. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS && least >= MOST_MS; run++) {
    let longest = 0;
    let last = cpuNow();
    let over = false;
    const look = () => {
      longest = Math.max(longest, cpuNow() - last);
      last = cpuNow();
      if (!over) setImmediate(look);
    };
    setImmediate(look);
    await work().catch(() => {});
    longest = Math.max(longest, cpuNow() - last);
    over = true;
    least = Math.min(least, longest);
  }
  return atFullSpeed(least, MOST_MS);
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
  'a text that is cut': [COMMENT, text => clip(text, 10_000)],
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
  'a diff': [1 << 20, text => [trimDiff(text, 1000), wholeDiff(text, 1000)]],
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
        Array.from({ length: 500 }, (_, n) => text.slice(0, 58) + n),
      ),
  ],
  'the name of a path': [COMMENT, text => [pathFault(text), fold(text)]],
  'the target of a link': [COMMENT, text => linkFault('a/b', text)],
  'a glob of a repository': [200, text => readGlob(text)?.covers('a/b'.repeat(1365), endless())],
  'a glob and another one': [300, text => canMeet(text, `**/*${text.slice(0, 290)}z`)],
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

describe.for(Object.entries(readers))('%s', ([, [length, read]]) => {
  test(`of ${length} characters is read within ${MOST_MS} ms`, () => {
    // Once, so that compiling the reader is not measured.
    heldBy(() => read('a: <b> `c` {"d": [1]}\n'.repeat(20)));
    const slow = shapes
      .map(([name, make]): [string, number] => {
        const text = make(length);
        return [name, heldBy(() => read(text))];
      })
      .filter(([, ms]) => ms >= MOST_MS);
    expect(slow).toEqual([]);
  });
});

/** One text made for one reader. */
const special: Record<string, () => unknown> = {
  '20,000 unknown keys of a configuration': (
    text => () =>
      parseConfig(text)
  )(Array.from({ length: 20_000 }, (_, n) => `k${n}: 1`).join('\n')),
  '1,300 unknown keys of a configuration': (
    text => () =>
      parseConfig(text)
  )(Array.from({ length: 1300 }, (_, n) => `key-${n}: 1`).join('\n')),
  'five templates that are as long as they may be together': (
    own => () =>
      templateProblems([], own)
  )(Array.from({ length: 5 }, (_, n) => ({ file: `${n}.xml`, text: template(n) }))),
  'an output of 12,000 objects that all have to differ': (
    text => () =>
      parseEnvelope(text, [{ name: 'a', type: 'json', nullable: false, schema: differing }])
  )(JSON.stringify({ a: Array.from({ length: 12_000 }, (_, n) => ({ b: n })) })),
  'a list of 40,000 actions': (
    text => () =>
      parseReply(text, teamLead!)
  )(`\`\`\`json\n[${'{},'.repeat(40_000)}{}]\n\`\`\``),
  'an action with 40,000 issues': (
    text => () =>
      parseReply(text, teamLead!)
  )(`\`\`\`json\n{"action":"create_issues","issues":[${'{},'.repeat(40_000)}{}]}\n\`\`\``),
  'an issue with 60,000 labels': (
    text => () =>
      parseReply(text, teamLead!)
  )(`\`\`\`json\n{"action":"create_issues","issues":[{"labels":[${'"",'.repeat(60_000)}""]}]}\n\`\`\``),
  'a reply of 9,000 blocks, as it is shown': (text => () => {
    const { ignored } = parseReply(text, teamLead!);
    return layerReplies([
      {
        ...{ layer: 'team-lead', prose: '', ignored, drafts: '', faults: [], dropped: [] },
        ...{ asked: [], model: 'm', ms: 1, cost_usd: 0 },
      },
    ]);
  })('```json\n{}\n```\n'.repeat(9_000)),
  'a record that unpacks to a gigabyte': (
    text => () =>
      decodeSegment(text, place, [key])
  )(signed(brotliCompressSync(Buffer.alloc(1 << 28, 0x20)).toString('base64'))),
};

const differing = { type: 'array', uniqueItems: true };

function template(n: number): string {
  const step = (at: number) => `<task name="s${at}"><description>Do ${at} with {{x}}</description></task>`;
  const steps = Array.from({ length: 380 }, (_, at) => step(at)).join('');
  return `<task type="sequential" name="t${n}"><steps>${steps}</steps></task>`;
}

function signed(payload: string): string {
  const mac = createHmac('sha256', key).update(`1|7|3|a|1|-|${payload}`).digest('base64');
  return `<!-- echelon:record v=1 run=a seq=1 prev=- mac=${mac}\n${payload} -->`;
}

test.for(Object.entries(special))(`%s: within ${MOST_MS} ms`, ([, work]) => {
  expect(heldBy(work)).toBeLessThan(MOST_MS);
});

describe('fifty issues with the most paths each', () => {
  const wild = (n: number) => `**/*a${'*b'.repeat(120)}${n}`;
  const issues = (path: (issue: number, n: number) => string, count: number): ScheduledIssue[] =>
    Array.from({ length: 50 }, (_, at) => ({
      number: at + 1,
      domain: 'backend',
      dependsOn: [],
      state: at < 20 ? 'running' : 'pending',
      paths: Array.from({ length: count }, (_each, n) => path(at, n)),
    }));
  test.for<[string, ScheduledIssue[]]>([
    ['100 that any file may meet', issues((_at, n) => wild(n), 100)],
    ['50 that any file may meet', issues((_at, n) => wild(n), 50)],
    ['one that any file may meet', issues((_at, n) => wild(n), 1)],
    ['50 literal ones in folders of their own', issues((at, n) => `src/${at}/file-${n}.ts`, 50)],
    ['50 wild ones with different ends', issues((at, n) => `**/${'?'.repeat(100)}*${at}-${n}.x`, 50)],
  ])('%s', ([, all]) => {
    heldBy(() => admit(all.slice(0, 3), 20));
    expect(heldBy(() => admit(all, 20))).toBeLessThan(MOST_MS);
    const done = all.map(issue => ({ ...issue, state: 'done' as const }));
    expect(heldBy(() => standsOn(done[0]!, done))).toBeLessThan(MOST_MS);
  });
});

test('100 files held against 20 globs that match nearly everything: each turn is short', async () => {
  const paths = Array.from({ length: 100 }, (_, n) => `${'a'.repeat(200)}/`.repeat(19) + n);
  const protectedPaths = Array.from({ length: 20 }, (_, n) => `${'*a'.repeat(30)}b${n}`);
  const rules = { limits: bundleLimits, protectedPaths, secrets: [] };
  expect(await longestTurn(() => nameFaults(paths, rules))).toBeLessThan(MOST_MS);
});

test('more files than are allowed: no glob is asked', async () => {
  const paths = Array.from({ length: 101 }, (_, n) => `.github/workflows/${n}.yml`);
  const rules = { limits: bundleLimits, protectedPaths: ['**'], secrets: [] };
  expect(await nameFaults(paths, rules)).toEqual([
    { path: '.github/workflows/100.yml', reason: 'is one of 101 changed files; at most 100 are allowed' },
  ]);
});

test('a dear pattern over 20,000 files: each turn is short', async () => {
  const files = Array.from({ length: 20_000 }, (_, n) => `${'a'.repeat(60)}/${'a'.repeat(60)}${n}`);
  expect(await longestTurn(() => matchFiles(files, undefined, `**/${'*a'.repeat(30)}z`))).toBeLessThan(
    MOST_MS,
  );
});
