// The configuration file: what it gives, and every mistake with its place and what was meant.
import { describe, expect, test } from 'vitest';
import { configReply } from '../../../src/app/comments/replies.ts';
import { parseConfig } from '../../../src/app/config/config-file.ts';

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
      "checks": "ask",
      "create_pr": true,
      "draft": true,
      "dry_run": false,
      "effort": {},
      "engines": [
        "native",
      ],
      "execution": "local",
      "isolation": "auto",
      "label": "echelon",
      "layers": "auto",
      "limits": {
        "comments": 200,
        "issues": 50,
        "open_drafts": {
          "repository": 10,
          "run": 5,
        },
        "runs_per_hour": 10,
        "warn_at": 0.8,
      },
      "max_parallel": 3,
      "models": {},
      "network": "none",
      "on_red": "fix",
      "output_tokens": {},
      "overlap": "parallel",
      "partial": "branch",
      "prices": {},
      "protected_paths": [],
      "reasoning": {
        "policy": "default",
        "retry": "exponential",
        "tasks": {},
      },
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

test.for([
  ['registries', 'registries'],
  [
    '[files.example.org, "*.example.org", 192.0.2.7, bücher.example]',
    ['files.example.org', '*.example.org', '192.0.2.7', 'bücher.example'],
  ],
] as const)('network: %s', ([text, network]) => {
  expect(config(`network: ${text}`).network).toEqual(network);
});

const noHost = 'not a host name such as files.example.org or *.example.org; write no scheme, port or path';

test.for([
  ['true', '1:1 network: `true` is not possible: write `registries`, a list of host names, or `all`'],
  ['false', '1:1 network: `false` is not possible: write `none`'],
  ['npm', '1:1 network: write `none`, `registries`, `all`, or a list of host names'],
  ['["*"]', `1:11 network.0: ${noHost}`],
  ['["*.org"]', `1:11 network.0: ${noHost}`],
  ['[a.example.org, "https://b.example.org"]', `1:26 network.1: ${noHost}`],
  ['["a.example.org:8080"]', `1:11 network.0: ${noHost}`],
])('network: %s is refused', ([text, problem]) => {
  expect(problems(`network: ${text}`)).toEqual([problem]);
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
    'protected_paths: ["!.envrc"]',
  ].join('\n');
  expect(config(text)).toMatchObject({
    label: 'build',
    base: 'develop',
    budget: { total: 5.5, layers: { '2ic': 1 } },
    timeouts: { layer: 90_000, cascade: 3_600_000, attempt: 600_000 },
    turns: { 'eng-lead': 3, director: 30 },
    limits: { issues: 50, runs_per_hour: 10, warn_at: 0.5 },
    test: 'make check',
    protected_paths: ['!.envrc'],
  });
});

test.for<[name: string, text: string, problems: (string | RegExp)[]]>([
  ['an unknown key', 'aproval: none\n', ['1:1 unknown key aproval; did you mean "approval"?']],
  ['a share of nothing', 'limits: { warn_at: 0 }\n', [/^1:11 limits\.warn_at: /]],
  ['a share in percent', 'limits: { warn_at: 80 }\n', [/^1:11 limits\.warn_at: /]],
  [
    'a key of earlier versions',
    'record: branch\n',
    ['1:1 record: the record of a run is always kept in comments. Take this line out'],
  ],
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
  ['a budget that lifts every limit', 'budget: { total: 1e308 }\n', [/^1:11 budget\.total: .*100000/]],
  [
    'a price without end',
    'prices: { own: { input: 1e99, output: 1, cache_read: 1, cache_write: 1 } }\n',
    [/^1:18 /],
  ],
  ['a timer that no process has', 'timeouts: { layer: 60000h }\n', [/^1:13 timeouts\.layer: .*168h/]],
  ['a time that is a little too long', 'timeouts: { stuck: 604801s }\n', [/^1:13 timeouts\.stuck: /]],
  ['a label no list can be asked for', 'label: "a,b"\n', [/^1:1 label: .*comma/]],
  ['a label with white space around it', 'label: " run"\n', [/^1:1 label: .*white space/]],
  ['a label of two lines', 'label: "a\\nb"\n', [/^1:1 label: .*line end/]],
  ['a command no shell can be given', 'test: "make\\0"\n', [/^1:1 test: .*NUL/]],
  ...[
    '-f',
    'a b',
    'a..b',
    'a~1',
    'x.lock',
    'a//b',
    '.a',
    'a/',
    'a.',
    '@',
    'HEAD',
    'refs/heads/main',
    'a@{1}',
  ].map((name): [string, string, RegExp[]] => [
    `the base ${name}, which is no branch`,
    `base: ${JSON.stringify(name)}\n`,
    [/^1:1 base: not the name of a branch/],
  ]),
  ['an object id for a base', `base: "${'0a'.repeat(20)}"\n`, [/^1:1 base: not the name/]],
  [
    'a price of a model that has one',
    'prices:\n  claude-opus-5-5: { input: 0, output: 0, cache_read: 0, cache_write: 0 }\n',
    [
      '2:3 prices.claude-opus-5-5: the price of claude-opus-5-5 is known, and is not changed here. Take it out',
    ],
  ],
  [
    'what is known of a model, told otherwise',
    'models:\n  claude-opus-5-5: { provider: openai, price: { input: 0, output: 0, cache_read: 0, cache_write: 0 } }\n',
    [
      '2:3 models.claude-opus-5-5: what holds for claude-opus-5-5 is known, and is not changed here. Take it out',
    ],
  ],
  ['a list of no models', 'models: { default: [] }\n', [/^1:11 models\.default: /]],
  [
    'a price of a snapshot of such a model',
    'prices:\n  claude-opus-5-5-20261001: { input: 0, output: 0, cache_read: 0, cache_write: 0 }\n',
    [/^2:3 prices\.claude-opus-5-5-20261001: the price of claude-opus-5-5 is known/],
  ],
  ['a map as a key', '{}: 1\n', ['1:1 a key must be a plain text']],
  ['a map within thirty others', `label: ${'['.repeat(30)}${']'.repeat(30)}\n`, [/nested too deeply/]],
  ['a map within thousands', `label: ${'['.repeat(1800)}${']'.repeat(1800)}\n`, [/nested too deeply/]],
  ['a list within thousands', `label:\n  ${'- '.repeat(1900)}a\n`, [/nested too deeply$/]],
  ['thousands that are not closed', `label: ${'['.repeat(3900)}\n`, [/nested too deeply/]],
  [
    'a file that is too large',
    `label: a\n${'# a note\n'.repeat(4000)}`,
    [/^1:1 the file has 36009 bytes; at most 32768/],
  ],
  ['a file of too many parts', 'a:\n'.repeat(3000), [/^1:1 the file has more than 4000 parts/]],
  ['a duration without a unit', 'timeouts: { layer: "5" }\n', [/^1:13 timeouts\.layer: a duration such as/]],
  ['null for a value', 'label:\n', [/^1:1 label: /]],
  ['a list for a map', 'budget: [5]\n', [/^1:1 budget: /]],
  ['a list at the top', '- label\n', [/^1:1 the file: /]],
  ['a text at the top', 'label\n', [/^1:1 the file: /]],
  ['the same key twice', 'label: a\nlabel: b\n', ['2:1 the key label stands here twice']],
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
    Array.from({ length: 20 }, () => /aliases are not read/),
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
  [
    'an engine that is none',
    'engines: [native, cursor]\n',
    [/^1:19 engines\.1: .*"native"\|"claude-code"\|"aider"/],
  ],
  ['an engine that is named twice', 'engines: [aider, aider]\n', ['1:1 engines: an engine is named twice']],
  ['a list of setup commands', 'setup: [npm ci]\n', [/^1:1 setup: /]],
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

test('white space is no test command', () => {
  expect(config('test: "  "\n').test).toBe('');
});

test.for(['main', 'release/2.x', 'feature/ü-1', 'a-b_c#1', '1.0'])('the base %s is a branch', name => {
  expect(config(`base: ${JSON.stringify(name)}`).base).toBe(name);
});

describe("the operator's caps", () => {
  const by = (most: number, variable: string) => ({ most, by: variable });
  const caps = {
    budget: by(20, 'ECHELON_MAX_BUDGET'),
    max_parallel: by(2, 'ECHELON_MAX_PARALLEL'),
    rounds: by(3, 'ECHELON_MAX_ROUNDS'),
    runs_per_hour: by(4, 'ECHELON_MAX_RUNS_PER_HOUR'),
  };

  test('lower the defaults in silence', () => {
    expect(parseConfig('', caps)).toMatchObject({
      config: { budget: { total: 20 }, max_parallel: 2, rounds: 3, limits: { runs_per_hour: 4 } },
    });
  });

  test('leave what is below them', () => {
    const text = 'budget: { total: 5, layers: { 2ic: 20 } }\nmax_parallel: 1\nrounds: 3\n';
    expect(parseConfig(text, caps)).toMatchObject({
      config: { budget: { total: 5, layers: { '2ic': 20 } }, max_parallel: 1, rounds: 3 },
    });
  });

  test.for([
    ['budget:\n  total: 20.01\n', 2, 3, 'budget.total: at most 20 ', 'ECHELON_MAX_BUDGET'],
    ['budget: { layers: { 2ic: 21 } }\n', 1, 21, 'budget.layers.2ic: at most 20 ', 'ECHELON_MAX_BUDGET'],
    ['billing: max\n', 1, 1, 'billing: max has no limit, and at most 20 ', 'ECHELON_MAX_BUDGET'],
    ['max_parallel: 3\n', 1, 1, 'max_parallel: at most 2 ', 'ECHELON_MAX_PARALLEL'],
    ['rounds: 4\n', 1, 1, 'rounds: at most 3 ', 'ECHELON_MAX_ROUNDS'],
    [
      'limits: { runs_per_hour: 5 }\n',
      1,
      11,
      'limits.runs_per_hour: at most 4 ',
      'ECHELON_MAX_RUNS_PER_HOUR',
    ],
  ] as const)('refuse %j with its place', ([text, line, column, begin, who]) => {
    const read = parseConfig(text, caps);
    const found = 'problems' in read ? read.problems : [];
    expect(found).toEqual([{ line, column, message: expect.stringContaining(begin) }]);
    expect(found[0]?.message).toContain(who);
  });
});

test('what is said of a file with many problems fits a comment', () => {
  const text = Array.from({ length: 900 }, (_, at) => `key${at}: ${at}`).join('\n');
  const read = parseConfig(text);
  const body = 'problems' in read ? configReply('.github/echelon.yml', read.problems) : '';
  expect(body.length).toBeLessThan(20_000);
});

describe('prices under a capped budget', () => {
  const price = { input: 3, output: 15, cache_read: 1, cache_write: 3 };
  const caps = { budget: { most: 1, by: 'ECHELON_MAX_BUDGET' }, prices: { theirs: price } };
  const nothing = '{ input: 0, output: 0, cache_read: 0, cache_write: 0 }';
  const named = (name: string) =>
    `the operator of this installation caps the budget (ECHELON_MAX_BUDGET), and has given no price for ${name}: ask for prices.${name} in the file of ECHELON_CONFIG`;

  test.for([
    ['a price', 'own', `prices:\n  own: ${nothing}\n`],
    ['what is known of a model', 'own', `models:\n  own: { provider: openai, price: ${nothing} }\n`],
    ['another provider before a known name', 'openai/gpt', `prices:\n  openai/gpt: ${nothing}\n`],
  ] as const)('%s of the repository is refused', ([_what, name, text]) => {
    expect(parseConfig(text, caps)).toMatchObject({
      problems: [{ line: 2, message: expect.stringContaining(named(name)) }],
    });
    expect(parseConfig(text)).toHaveProperty('config');
  });

  test("the operator's price goes before the repository's", () => {
    const text = `prices:\n  theirs: ${nothing}\nmodels:\n  theirs: { provider: openai, price: ${nothing} }\n`;
    expect(parseConfig(text, caps)).toMatchObject({
      config: { prices: { theirs: price }, models: { theirs: { provider: 'openai', price } } },
    });
  });
});
