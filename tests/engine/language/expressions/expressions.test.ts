// The expression language of tests: its tables, random and hostile texts.
import fc from '../../../properties.ts';
import { describe, expect, test } from 'vitest';
import { ExpressionError } from '../../../../src/engine/language/expressions/data.ts';
import { evaluateExpression } from '../../../../src/engine/language/expressions/evaluate.ts';
import { parseExpression } from '../../../../src/engine/language/expressions/parse.ts';
import type { Json } from '../../../../packages/ground/lib/json.ts';
import { access } from './access.ts';
import { bindings } from './bindings.ts';
import { coercion } from './coercion.ts';
import { failures } from './failures.ts';
import { functions } from './functions.ts';
import { operators } from './operators.ts';
import { refusals } from './refusals.ts';
import { cpuNow } from '../../../cpu-time.ts';

/** Characters: no longer one is read. */
const longestExpression = 20_000;

type Bindings = { readonly [name: string]: Json };

const lookupIn = (bound: Bindings) => (name: string) =>
  Object.hasOwn(bound, name) ? bound[name] : undefined;

function read(text: string) {
  const parsed = parseExpression(text);
  if ('problem' in parsed) throw new Error(`${text} does not parse: ${parsed.problem.message}`);
  return parsed;
}

const value = (text: string, bound: Bindings = bindings) =>
  evaluateExpression(read(text).expression, lookupIn(bound));

/** The text without its `¦`, and where that stood. */
const unmarked = (marked: string) => ({ text: marked.replace('¦', ''), offset: marked.indexOf('¦') });

function failureOf(text: string, bound: Bindings = bindings): { message: string; offset: number } {
  const { expression } = read(text);
  try {
    evaluateExpression(expression, lookupIn(bound));
  } catch (cause) {
    if (!(cause instanceof ExpressionError)) throw cause;
    return { message: cause.message, offset: cause.offset };
  }
  throw new Error(`${text.slice(0, 80)} has a value`);
}

describe.each(Object.entries({ operators, coercion, access, functions }))('%s', (_table, rows) => {
  test.each(rows)('%s', (text, expected) => {
    expect(value(text)).toEqual(expected);
  });
});

describe('refusals', () => {
  test.each(refusals)('%s', (marked, message) => {
    const { text, offset } = unmarked(marked);
    expect(parseExpression(text)).toEqual({ problem: { message, offset } });
  });
});

describe('failures', () => {
  test.each(failures)('%s', (marked, message) => {
    const { text, offset } = unmarked(marked);
    expect(failureOf(text)).toEqual({ message, offset });
  });
});

describe('names', () => {
  test.each<[text: string, names: { name: string; path: (string | number)[]; offset: number }[]]>([
    ['1 == 1', []],
    ['output.valid == true', [{ name: 'output', path: ['valid'], offset: 0 }]],
    [`  \${{ a.b.c }}`, [{ name: 'a', path: ['b', 'c'], offset: 6 }]],
    ["a['b'].c[0].d", [{ name: 'a', path: ['b', 'c', 0, 'd'], offset: 0 }]],
    ['a.*.b', [{ name: 'a', path: [], offset: 0 }]],
    ['a.b.*.c', [{ name: 'a', path: ['b'], offset: 0 }]],
    ['(a).b', [{ name: 'a', path: [], offset: 1 }]],
    ['(a.b).c', [{ name: 'a', path: ['b'], offset: 1 }]],
    ['contains', [{ name: 'contains', path: [], offset: 0 }]],
    ['a.true.null', [{ name: 'a', path: ['true', 'null'], offset: 0 }]],
    [
      'a.b[c.d].e && !a',
      [
        { name: 'a', path: ['b'], offset: 0 },
        { name: 'c', path: ['d'], offset: 4 },
        { name: 'a', path: [], offset: 15 },
      ],
    ],
    [
      "join(x, y.z) || 'name' && TRUE",
      [
        { name: 'x', path: [], offset: 5 },
        { name: 'y', path: ['z'], offset: 8 },
        { name: 'TRUE', path: [], offset: 26 },
      ],
    ],
  ])('%s', (text, names) => {
    expect(read(text).names).toEqual(names);
  });
});

test('a name is looked up once, so that it is equal to itself', () => {
  const asked: string[] = [];
  const fresh = (name: string) => {
    asked.push(name);
    return [name];
  };
  expect(evaluateExpression(read('a == a && b').expression, fresh)).toEqual(['b']);
  expect(asked).toEqual(['a', 'b']);
});

test('the list that * gives is a plain one outside', () => {
  expect(Object.getPrototypeOf(value('list.*'))).toBe(Array.prototype);
});

test('a member named __proto__ is never more than data', () => {
  const bound = { data: JSON.parse('{"__proto__": {"polluted": true}, "x": 1}') as Json };
  expect(value('data.polluted', bound)).toBe(null);
  expect(value('fromJSON(toJSON(data)).polluted', bound)).toBe(null);
  expect(({} as Record<string, unknown>)['polluted']).toBe(undefined);
});

describe('limits of a text', () => {
  const brackets = (depth: number) => `${'('.repeat(depth)}1${')'.repeat(depth)}`;
  test.each([
    ['brackets', brackets(49), brackets(50), 50],
    ['negations', `${'!'.repeat(49)}1`, `${'!'.repeat(50)}1`, 50],
    ['members', `a${'.b'.repeat(49)}`, `a${'.b'.repeat(50)}`, 100],
    [
      'elements',
      `a${'[0'.repeat(49)}${']'.repeat(49)}`.replace(/0/g, 'a'),
      `a${'[a'.repeat(50)}${']'.repeat(50)}`,
      100,
    ],
    ['calls', `${'toJSON('.repeat(49)}1${')'.repeat(49)}`, `${'toJSON('.repeat(50)}1${')'.repeat(50)}`, 350],
  ])('%s nest 50 deep, the expression itself being the first', (_what, fits, tooDeep, offset) => {
    expect(parseExpression(fits)).not.toHaveProperty('problem');
    expect(parseExpression(tooDeep)).toEqual({
      problem: { message: expect.stringContaining('Exceeded max expression depth 50'), offset },
    });
  });

  test('20,000 characters are read and one more is not', () => {
    const text = `'${'a'.repeat(20_000 - 2)}'`;
    expect(parseExpression(text)).not.toHaveProperty('problem');
    expect(parseExpression(`${text} `)).toEqual({
      problem: {
        message: 'the expression has 20001 characters, and at most 20000 are read',
        offset: 20_000,
      },
    });
  });

  const row = (operator: string, length: number) => Array.from({ length }, () => '1').join(` ${operator} `);
  test.each(['&&', '||'])('4,000 %s in a row are not nested', operator => {
    const { expression } = read(
      row(operator, 4000)
        .slice(0, longestExpression - 1)
        .replace(/\D+$/, ''),
    );
    expect(() => evaluateExpression(expression, () => null)).not.toThrow();
  });
  test.each(['==', '<'])('500 %s in a row are read, and 4,000 are not', operator => {
    expect(() => evaluateExpression(read(row(operator, 501)).expression, () => null)).not.toThrow();
    const message = 'more than 500 operators in a row';
    expect(parseExpression(row(operator, 4000))).toEqual({ problem: { message, offset: 0 } });
  });

  test.each([
    ['one string', "'"],
    ['quotes', "''"],
    ['brackets', '('],
    ['closed brackets', ')'],
    ['negations', '!'],
    ['frames', '${{'],
    ['dots', '.'],
    ['members', 'a.'],
    ['steps of all', '.*'],
    ['calls', 'format('],
    ['unknown calls', 'formt('],
    ['indexes', 'a['],
    ['digits', '1'],
    ['white space', ' '],
    ['half of a pair', '\ud83d'],
    ['equals', '='],
    ['braces', '}}'],
    ['minus', '-'],
  ])('20,000 characters of %s are answered at once', (_what, piece) => {
    const text = piece.repeat(longestExpression).slice(0, longestExpression);
    for (const each of [text, `a${text.slice(1)}`]) {
      const start = cpuNow();
      const parsed = parseExpression(each);
      expect(cpuNow() - start).toBeLessThan(2000);
      if ('problem' in parsed) expect(parsed.problem.message.length).toBeLessThan(200);
    }
  });
});

describe('limits of an evaluation', () => {
  const mega = 'a'.repeat(1024 * 1024);
  const half = mega.slice(mega.length / 2);
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  const deepList = JSON.parse(nested(50_000)) as Json;
  const many = Array.from({ length: 100_000 }, (_, index) => ({ [`key${index % 7}`]: index }));
  const bound: Bindings = {
    mega,
    half,
    worst: `b${half}`,
    braces: '{'.repeat(1024 * 1024 - 1),
    quotes: '\u0001'.repeat(1024 * 1024),
    open: '"\\'.repeat(300_000),
    deepText: nested(101),
    deepestText: nested(500_000),
    fitsText: nested(100),
    deepList,
    many,
    wide: Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key${index}`, index])),
    huge: `${mega}${mega}`,
    elements: Array.from({ length: 20 }, () => mega.slice(0, 100_000)),
  };
  const tooLong = 'the text gets longer than 1048576 characters';
  const tooMuch = 'the expression goes over more text and elements than one test may';
  const repeated = (part: string, operator = ' || ') =>
    Array.from({ length: Math.floor(longestExpression / (part.length + operator.length)) }, () => part).join(
      operator,
    );

  const stopped: [text: string, message: string][] = [
    ["format('{0}{0}{0}', half)", `format: ${tooLong}`],
    ["format('{0}x', mega)", `format: ${tooLong}`],
    [`format('${'{0}'.repeat(6000)}', half)`, `format: ${tooLong}`],
    ['format(huge)', `format: ${tooLong}`],
    ['format(braces)', tooMuch],
    ['join(elements)', `join: ${tooLong}`],
    ['join(many, half)', `join: ${tooLong}`],
    ['toJSON(elements)', `toJSON: ${tooLong}`],
    ['toJSON(many)', `toJSON: ${tooLong}`],
    ['toJSON(wide)', `toJSON: ${tooLong}`],
    ['toJSON(mega)', `toJSON: ${tooLong}`],
    ['toJSON(quotes)', `toJSON: ${tooLong}`],
    ['toJSON(huge)', `toJSON: ${tooLong}`],
    ['toJSON(deepList)', 'the value is nested deeper than 100'],
    ['fromJSON(huge)', `fromJSON: ${tooLong}`],
    ['fromJSON(deepText)', 'fromJSON: the value is nested deeper than 100'],
    ['fromJSON(deepestText)', 'fromJSON: the value is nested deeper than 100'],
    ['fromJSON(open)', 'fromJSON: Error parsing JSON when evaluating fromJson'],
    ['fromJSON(mega)', 'fromJSON: Error parsing JSON when evaluating fromJson'],
    [repeated("contains(mega, 'b')"), tooMuch],
    ['contains(mega, worst)', tooMuch],
    ['wide.*', 'Maximum call stack size exceeded'],
    [repeated('contains(elements, mega)'), tooMuch],
    [repeated('startsWith(huge, half)', ' && '), tooMuch],
    [repeated("mega == 'b'"), tooMuch],
    [repeated('mega < half'), tooMuch],
    [repeated('mega == 1'), tooMuch],
    [repeated('wide.x'), tooMuch],
    [repeated('bare[mega]'), `could not evaluate index for index access: ${tooMuch}`],
    [repeated('many.*.x', ' && '), tooMuch],
    [repeated('!toJSON(half)'), tooMuch],
    [repeated('!format(half)'), tooMuch],
  ];

  test.each(stopped.map(row => [row[0].slice(0, 60), ...row] as const))(
    '%s is stopped in time',
    (_title, text, message) => {
      const start = cpuNow();
      expect(failureOf(text, { ...bound, bare: { a: 1 } }).message).toBe(message);
      expect(cpuNow() - start).toBeLessThan(10_000);
    },
  );

  test('what just fits is evaluated', () => {
    expect(value("format('{0}', mega)", bound)).toBe(mega);
    expect(value('fromJSON(fitsText)', bound)).toEqual(JSON.parse(nested(100)));
    expect(value('toJSON(fromJSON(fitsText)) == toJSON(fromJSON(fitsText))', bound)).toBe(true);
    expect(value("contains(mega, 'b')", bound)).toBe(false);
    expect(value('many.*.key3[0]', bound)).toEqual([]);
    expect(value('wide.KEY99999', bound)).toBe(99_999);
  });
});

describe('random texts', () => {
  const pieces = fc.constantFrom(
    ...[
      'a',
      'b',
      'list',
      'object',
      'plan',
      'items',
      'text',
      'true',
      'null',
      'NaN',
      '0',
      '1',
      '-2',
      '.5',
      '0x1f',
    ],
    ...[
      "'x'",
      "'it''s'",
      "''",
      "'{0}'",
      "'[1]'",
      '(',
      ')',
      '[',
      ']',
      '.',
      '.*',
      '*',
      ',',
      '!',
      '<',
      '<=',
      '>',
      '>=',
    ],
    ...[
      '==',
      '!=',
      '&&',
      '||',
      '=',
      '&',
      ' ',
      '  ',
      'contains(',
      'format(',
      'join(',
      'toJSON(',
      'fromJSON(',
      "'",
    ],
    ...['startsWith(', 'case(', 'hashFiles(', '${{', '}}', '"', '-', '\n', 'é'],
  );
  const soup = fc.array(pieces, { maxLength: 25 }).map(parts => parts.join(''));

  test('never throw and never take long', () => {
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({ unit: 'binary', maxLength: 200 })), text => {
        const start = cpuNow();
        const parsed = parseExpression(text);
        if ('problem' in parsed) {
          expect(parsed.problem.offset).toBeGreaterThanOrEqual(0);
          expect(parsed.problem.offset).toBeLessThanOrEqual(text.length);
        } else
          try {
            evaluateExpression(parsed.expression, lookupIn(bindings));
          } catch (cause) {
            expect(cause).toBeInstanceOf(ExpressionError);
          }
        expect(cpuNow() - start).toBeLessThan(2000);
      }),
      { numRuns: 1000 },
    );
  });
});
