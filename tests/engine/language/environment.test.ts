// Environments, and substitution from them.
import { describe, expect, test } from 'vitest';
import {
  type Bound,
  boundValue,
  Environment,
  UnboundName,
} from '../../../src/engine/language/environment.ts';
import { substitute } from '../../../src/engine/language/substitute.ts';
import { TaskError } from '../../../src/engine/language/result.ts';
import { longestBound, template } from '../../../src/engine/language/text.ts';

const at = { file: 'p.xml', line: 3, column: 7 };
const frame = (values: Record<string, Parameters<typeof boundValue>[0]>): [string, Bound][] =>
  Object.entries(values).map(([name, value]) => [name, boundValue(value)]);

describe('environment', () => {
  test('a child hides a name and leaves its parent as it is', () => {
    const parent = new Environment(frame({ a: 'outer', b: 'b' }));
    const child = parent.extend(frame({ a: 'inner' }));
    expect([child.find('a').text, child.find('b').text, parent.find('a').text]).toEqual([
      'inner',
      'b',
      'outer',
    ]);
    expect(child.names()).toEqual(['a', 'a', 'b']);
  });

  test('a name that nothing binds throws with the nearest one', () => {
    const environment = new Environment(frame({ title: 'x' })).extend(frame({ body: 'y' }));
    expect(() => environment.find('titel')).toThrow(new UnboundName('titel', '; did you mean "title"?'));
  });

  test.each(['__proto__', 'constructor', 'toString'])('%s is a name like any other', name => {
    expect(() => new Environment().resolve(name)).toThrow(UnboundName);
    expect(() => new Environment(frame({ o: {} })).resolve(`o.${name}`)).toThrow(UnboundName);
    expect(new Environment([[name, boundValue('bound')]]).resolve(name).text).toBe('bound');
  });

  test('10,000 frames are searched without recursion', () => {
    let environment = new Environment(frame({ first: '1' }));
    for (let index = 0; index < 10_000; index++) environment = environment.extend(frame({ x: index }));
    expect(environment.find('first').text).toBe('1');
  });
});

describe('substitution', () => {
  const environment = new Environment(
    frame({
      name: 'Ada',
      empty: '',
      n: 3,
      list: [1, 'two'],
      issue: { title: 'T', tags: ['a'], deep: { x: 1 } },
      yes: true,
      nothing: null,
      injected: '{{name}} <result>&amp;</result>',
      dollar: '$& $1 $$',
    }),
  ).extend([
    ['engineer.director', { text: 'said', fields: { outcome: 'fine' }, value: null }],
    ['engineer', { text: 'plain', fields: { director: 'the field' }, value: null }],
  ]);

  test.each([
    ['Hello {{name}}!', 'Hello Ada!'],
    ['{{ name }}{{name}}', 'AdaAda'],
    ['[{{empty}}]', '[]'],
    ['{{n}} {{yes}} {{nothing}}', '3 true null'],
    ['{{list}}', '[1,"two"]'],
    ['{{issue}}', '{"title":"T","tags":["a"],"deep":{"x":1}}'],
    ['{{issue.title}} {{issue.tags}}', 'T ["a"]'],
    ['{{issue.deep.x}} {{issue.tags[0]}} {{list[1]}} {{ list[0] }}', '1 a two 1'],
    ['{{list[x]}} {{list[-1]}} {{list[0}}', '{{list[x]}} {{list[-1]}} {{list[0}}'],
    ['{{engineer.director}}', 'said'],
    ['{{engineer.director.outcome}}', 'fine'],
    ['{{engineer}}', 'plain'],
    ['{{injected}}', '{{name}} <result>&amp;</result>'],
    ['{{dollar}}', '$& $1 $$'],
    ['{name} {{}} {{a b}}', '{name} {{}} {{a b}}'],
    ['{{{name}}}', '{Ada}'],
  ])('%s', (text, expected) => {
    expect(substitute(template(text, at), environment)).toBe(expected);
  });

  test.each([
    ['who', ''],
    ['issue.colour', ''],
    ['issue.deep.y', ''],
    ['issue.tags[1]', ''],
    ['issue[0]', ''],
    ['list[0].x', ''],
    ['issue.titel', '; did you mean "title"?'],
    ['nmae', '; did you mean "name"?'],
    ['name.length', ''],
    ['list.0', ''],
  ])('{{%s}} is a missing input with its place and what is near', (name, near) => {
    const error = thrown(() => substitute(template(`{{${name}}}`, at), environment));
    expect(error.message).toBe(`Missing required input: ${name} (p.xml:3:7)${near}`);
    expect(error.detail).toEqual({ code: 'TASK_FAILURE', reason: 'missing_input', at });
  });
});

describe('the longest bound name', () => {
  const bound = new Set(['a', 'a.b', 'c.d.e', '.f']);
  test.each<[string, string | undefined, ...(string | number)[]]>([
    ['a', 'a'],
    ['a.b', 'a.b'],
    ['a.b.c', 'a.b', 'c'],
    ['a.x.y', 'a', 'x', 'y'],
    ['a[0]', 'a', 0],
    ['a.x[12].y[0]', 'a', 'x', 12, 'y', 0],
    ['a.b[1]', 'a.b', 1],
    ['c.d', undefined],
    ['c.d[0]', undefined],
    ['c.d.e.f.g', 'c.d.e', 'f', 'g'],
    ['.f.g', '.f', 'g'],
    ['.g', undefined],
    ['', undefined],
  ])('%j: %s', (path, name, ...steps) => {
    const found = longestBound(path, each => (bound.has(each) ? { of: each } : undefined));
    expect(found).toEqual(name === undefined ? undefined : { name, steps, bound: { of: name } });
  });
});

function thrown(act: () => unknown): TaskError {
  try {
    act();
  } catch (error) {
    if (error instanceof TaskError) return error;
  }
  throw new Error('no TaskError was thrown');
}
