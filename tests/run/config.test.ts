// The configuration file: what it gives, and every mistake with its place and what was meant.
import { expect, test } from 'vitest';
import { configReply } from '../../src/comments/replies.ts';
import { parseConfig } from '../../src/run/config.ts';
import { cpuNow } from '../cpu-time.ts';

const problems = (text: string) => {
  const read = parseConfig(text);
  return 'config' in read
    ? []
    : read.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
};
const config = (text: string) => {
  const read = parseConfig(text);
  if ('problems' in read) throw new Error(read.problems.map(({ message }) => message).join('; '));
  return read.config;
};

test.for([
  ['empty', ''],
  ['a comment', '# nothing yet\n'],
  ['only a document mark', '---\n'],
  ['an empty map', '{}\n'],
  ['white space', '  \n\n'],
] as const)('%s: everything has its default', ([, text]) => {
  expect(config(text)).toEqual(config(''));
});

test('the defaults', () => {
  expect(config('')).toMatchInlineSnapshot(`
    {
      "approval": "destructive",
      "billing": "api",
      "budget": {
        "layers": {},
        "total": 50,
      },
      "candidates": 1,
      "create_pr": true,
      "draft": true,
      "dry_run": false,
      "engines": [
        "native",
      ],
      "execution": "local",
      "isolation": "auto",
      "label": "echelon",
      "limits": {
        "issues": 50,
        "warn_at": 0.8,
      },
      "max_parallel": 3,
      "models": {},
      "network": false,
      "prices": {},
      "protected_paths": [
        ".github/workflows/**",
        ".github/actions/**",
        ".github/echelon*",
        ".github/dependabot.yml",
        ".github/dependabot.yaml",
        "CODEOWNERS",
        ".github/CODEOWNERS",
        "docs/CODEOWNERS",
        ".husky/**",
        ".githooks/**",
        ".devcontainer/**",
        ".devcontainer.json",
        ".vscode/tasks.json",
        ".lfsconfig",
      ],
      "reasoning": {
        "cleaning": {
          "execution_log": true,
          "hint": true,
          "reasoning_log": false,
          "tracker": true,
          "valid_ids": true,
        },
        "policy": "default",
        "recovery": {
          "context": true,
          "reasoning": true,
          "valid_ids": true,
        },
        "retry": "exponential",
        "tasks": {},
      },
      "record": "comment",
      "retries": 2,
      "rounds": 5,
      "timeouts": {
        "attempt": 600000,
        "cascade": 1800000,
        "layer": 300000,
        "stuck": 120000,
      },
      "turns": {
        "director": 30,
      },
    }
  `);
});

test('values that are given', () => {
  const text = [
    'label: build',
    'base: develop',
    'budget: { total: 5.5, layers: { 2ic: 1 } }',
    'timeouts:',
    '  layer: 90s',
    '  cascade: 1h',
    'turns: { eng-lead: 3 }',
    'limits: { warn_at: 0.5 }',
    'test: make check',
    'protected_paths: []',
  ].join('\n');
  expect(config(text)).toMatchObject({
    label: 'build',
    base: 'develop',
    budget: { total: 5.5, layers: { '2ic': 1 } },
    timeouts: { layer: 90_000, cascade: 3_600_000, attempt: 600_000 },
    turns: { 'eng-lead': 3, director: 30 },
    limits: { issues: 50, warn_at: 0.5 },
    test: 'make check',
    protected_paths: [],
  });
});

test.for<[name: string, text: string, problems: (string | RegExp)[]]>([
  ['an unknown key', 'aproval: none\n', ['1:1 unknown key aproval; did you mean "approval"?']],
  ['a share of nothing', 'limits: { warn_at: 0 }\n', [/^1:11 limits\.warn_at: /]],
  ['a share in percent', 'limits: { warn_at: 80 }\n', [/^1:11 limits\.warn_at: /]],
  ['an unknown key far from all', 'zebra: 1\n', ['1:1 unknown key zebra']],
  ['an unknown key inside', 'budget:\n  totl: 5\n', ['2:3 unknown key budget.totl; did you mean "total"?']],
  [
    'an unknown key two deep',
    'budget:\n  layers:\n    eng-led: 5\n',
    ['3:5 unknown key budget.layers.eng-led; did you mean "eng-lead"?'],
  ],
  [
    'an unknown key in a map on one line',
    'timeouts: { layr: 5m }\n',
    ['1:13 unknown key timeouts.layr; did you mean "layer"?'],
  ],
  ['a key in other letters', 'Approval: none\n', ['1:1 unknown key Approval; did you mean "approval"?']],
  ['a key of Object.prototype', 'constructor: 1\n', ['1:1 unknown key constructor']],
  ['__proto__', '__proto__: { label: x }\n', ['1:1 unknown key __proto__']],
  ['not one of the choices', 'approval: some\n', [/^1:1 approval: .*none.*destructive.*all/]],
  ['a text for a number', 'retries: two\n', [/^1:1 retries: .*number/]],
  ['a number in quotes', 'max_parallel: "3"\n', [/^1:1 max_parallel: .*number/]],
  ['too large', 'max_parallel: 21\n', [/^1:1 max_parallel: .*20/]],
  ['too small', 'rounds: 0\n', [/^1:1 rounds: .*1/]],
  ['no whole number', 'rounds: 1.5\n', [/^1:1 rounds: /]],
  ['a negative budget', 'budget: { total: -1 }\n', [/^1:11 budget\.total: /]],
  ['a budget that is no number', 'budget: { total: .nan }\n', [/^1:11 budget\.total: /]],
  ['a budget without end', 'budget: { total: .inf }\n', [/^1:11 budget\.total: /]],
  ['a duration without a unit', 'timeouts: { layer: "5" }\n', [/^1:13 timeouts\.layer: a duration such as/]],
  ['null for a value', 'label:\n', [/^1:1 label: /]],
  ['a list for a map', 'budget: [5]\n', [/^1:1 budget: /]],
  ['a list at the top', '- label\n', [/^1:1 the file: /]],
  ['a text at the top', 'label\n', [/^1:1 the file: /]],
  ['the same key twice', 'label: a\nlabel: b\n', [/^2:1 Map keys must be unique/]],
  ['a bracket that is not closed', 'engines: [native\nlabel: a\n', [/^2:1 /]],
  ['a tab as indentation', 'budget:\n\ttotal: 5\n', [/^2:1 /]],
  ['two documents', 'label: a\n---\nlabel: b\n', [/^2:1 /]],
  ['an alias', 'label: &a x\nbase: *a\n', [/alias/i]],
  [
    'aliases that grow',
    `a: &a [x,x,x,x]\n${'bcdefgh'
      .split('')
      .map((key, at) => `${key}: &${key} [${`*${'abcdefg'[at]},`.repeat(4)}]`)
      .join('\n')}\n`,
    [/./],
  ],
  [
    'several at once, in their order',
    'retries: -1\nlabl: a\nrounds: 0\n',
    [/^1:1 retries/, /^2:1 unknown key labl/, /^3:1 rounds/],
  ],
  [
    'two unknown keys in one map',
    'budget:\n  totl: 5\n  lairs: {}\n',
    [/^2:3 unknown key budget\.totl/, /^3:3 unknown key budget\.lairs/],
  ],
  ['what is not available yet', 'record: branch\n', ['1:1 record: only "comment" is available yet']],
  [
    'an engine that is not available yet',
    'engines: [aider]\n',
    ['1:1 engines.0: only native is available yet'],
  ],
  ['a setup command', 'setup: npm ci\n', ['1:1 setup: a setup command is not available yet']],
  ['an unknown model key of a layer', 'turns: { strategist: 3 }\n', [/^1:10 unknown key turns\.strategist/]],
  ['a byte-order mark and a slip', '\ufefflabl: a\n', [/^1:\d unknown key labl/]],
  ['Windows line ends', 'label: a\r\nretries: x\r\n', [/^2:1 retries/]],
])('%s', ([, text, expected]) => {
  const found = problems(text);
  expect(found).toHaveLength(expected.length);
  for (const [at, problem] of expected.entries())
    if (typeof problem === 'string') expect(found[at]).toBe(problem);
    else expect(found[at]).toMatch(problem);
});

test('a message is one line, whatever the file holds', () => {
  for (const problem of problems(`"a\\nb\\u001b[31m": 1\nlabel: [\n`)) expect(problem).not.toMatch(/[\n\r]/);
});

test('a duration of nothing', () => {
  expect(problems('timeouts: { layer: 0s }\n')[0]).toMatch(/^1:13 timeouts\.layer: /);
});

test('a tag that means something to other readers', () => {
  expect(problems('label: !!js/function "x"\n')[0]).toMatch(/^1:8 /);
});

test('a file with 2,000 problems is read at once, and what is said of it fits a comment', () => {
  const text = Array.from({ length: 2000 }, (_, at) => `key${at}: ${at}`).join('\n');
  const began = cpuNow();
  const read = parseConfig(text);
  expect(cpuNow() - began).toBeLessThan(1000);
  const body = 'problems' in read ? configReply('.github/echelon.yml', read.problems) : '';
  expect(body.length).toBeLessThan(20_000);
});
