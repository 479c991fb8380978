// Code that the safe strategy refuses and permits, found by parsing.
import { describe, expect, it } from 'vitest';
import { unsafeIn } from '../../../../src/engine/reasoning/execution/unsafe.ts';
import { expectLinear } from '../../../cpu-time.ts';

/** The longest code that is checked. */
const CHECKED_CHARS = 32_768;

describe('refuses loops without a way out', () => {
  it.each([
    'while (true) {}',
    'while (1) count++;',
    'while (!0) {}',
    'while ("yes") {}',
    'while (/x/) {}',
    'while (1n) {}',
    'do { work() } while (true)',
    'for (;;) {}',
    'for (let i = 0; true; i++) {}',
    'for (;;) { continue }',
    'for (;;) { for (const x of xs) break }',
    'while (true) { switch (x) { case 1: break } }',
    'while (true) { const f = () => { return 1 }; f() }',
    'while (true) { async function f() { await g() } }',
    'while (true) { class A { m() { return 1 } static { throw 1 } p = () => { throw 1 } } }',
    'while (true) { try { throw new Error() } catch {} }',
    'while (true) { inner: for (;;) { break inner } }',
    'while (true) { here: { break here } }',
    'outer: while (true) { for (;;) { continue outer } }',
    'function f() { while (true) {} }',
    'const f = () => { for (;;) {} }',
    'if (x) { try { for (;;) {} } finally {} }',
    'while (true) { await step() }',
    'for (;;) { for await (const x of xs) {} }',
  ])('%s', code => expect(unsafeIn(code)).toMatchObject({ name: 'UnsafeCodeError', message: /^a loop/ }));
});

describe('refuses code out of text', () => {
  it.each([
    'eval("1")',
    '(0, eval)("1")',
    'const run = eval',
    'return [eval][0]("1")',
    'const { Function } = globalThis',
    'new Function("return 1")()',
    'Function("return 1")()',
    'Function.prototype.constructor("return 1")',
    'const o = { run: Function }',
    'const o = { Function }',
    'const o = { [eval("1")]: 1 }',
    'class A { [eval("1")]() {} }',
    'f(...[Function])',
    '`$' + '{eval("1")}`',
    'e\\u0076al("1")',
  ])('%s', code =>
    expect(unsafeIn(code)).toMatchObject({ name: 'UnsafeCodeError', message: /makes code out of text/ }),
  );
});

describe('lets through', () => {
  it.each([
    'while (true) { if (done()) break; }',
    'while (true) { if (done()) return 1; }',
    'while (true) { next() || fail(); throw new Error("end") }',
    'while (true) { try { next() } catch (e) { throw e } }',
    'while (true) { try { throw 1 } finally { clean() } }',
    'while (true) { for await (const x of xs) { break } if (done()) break }',
    'function* all() { while (true) yield 1 }',
    'outer: for (;;) { for (;;) { break outer } }',
    'outer: for (const x of xs) { while (true) { continue outer } }',
    'here: { while (true) { break here } }',
    'while (true) { switch (x) { case 1: return } }',
    'while (false) {}',
    'while (!1) {}',
    'while (0n) {}',
    'while (null) {}',
    'while (x) {}',
    'for (;x;) {}',
    'const text = "while(true){} eval(1) Function()"',
    '// while (true) {} eval("1")',
    '/* eval */ return /eval|for(;;)/.test(x)',
    'math.eval("1")',
    // Nothing that the sandbox has.
    'globalThis.eval("1")',
    'const { eval: run } = globalThis',
    'const o = { eval: 1, Function() {} }; return o.eval',
    'class A { eval() {} static Function = 1 }',
    'return await Promise.all([1])',
    'return String(new.target)',
    // Errors that the interpreter itself finds.
    'return /(?<a>)(?<a>)/',
    'return /a/gg',
    'return [/[/\\]]/.test("/"), /\\//.source]',
    'let a; let a;',
    'return 1',
    '',
  ])('%s', code => expect(unsafeIn(code)).toBeUndefined());
});

it('tells the place of the first finding', () => {
  expect(unsafeIn('const a = 1;\n\n  for (;;) { eval("1") }')).toEqual({
    name: 'UnsafeCodeError',
    message: 'a loop without end has no way out: no break, return, throw or yield leaves it',
    line: 3,
    column: 3,
  });
});

it('tells the place of what does not parse', () => {
  expect(unsafeIn('const a = 1;\nlet b = ;')).toEqual({
    name: 'SyntaxError',
    message: 'Unexpected token',
    line: 2,
    column: 9,
  });
});

describe('hostile code', () => {
  it.each([
    ['brackets', '('.repeat(32_000)],
    ['blocks', `${'{'.repeat(16_000)}${'}'.repeat(16_000)}`],
    ['members', `a${'.a'.repeat(16_000)}`],
    ['operators', `1${'+1'.repeat(16_000)}`],
  ])('too many %s are refused', (_, code) => {
    expect(unsafeIn(code)).toMatchObject({ message: 'the code is nested too deeply to be checked' });
  });

  it('is not parsed when it is too long', () => {
    expect(unsafeIn(' '.repeat(CHECKED_CHARS + 1))).toMatchObject({
      message: 'the code has 32769 characters; 32768 are checked at most',
    });
  });

  /** As many of `unit` as fit into `size` characters between `open` and `close`, each of them `depth` times. */
  const filled =
    (unit: (index: number) => string, open = '', close = '', depth = 1) =>
    (size: number) => {
      const around = Math.ceil((depth * size) / CHECKED_CHARS);
      let body = '';
      for (let index = 0; ; index++) {
        const next = body + unit(index);
        if (next.length + (open.length + close.length) * around > size) break;
        body = next;
      }
      return open.repeat(around) + body + close.repeat(around);
    };
  const groups = (depth: number, count: number) =>
    `${'(?:|'.repeat(depth)}${'(?<a>)|'.repeat(count)}${')'.repeat(depth)}`;

  it.each<[string, (size: number) => string]>([
    [
      'alternatives that name the same group',
      size => `/${groups(size / 32, size / 512)}|${groups(size / 32, size / 512)}/`,
    ],
    ['more of them', size => `/${groups(size / 32, size / 24)}|${groups(size / 32, size / 80)}/`],
    ['groups of one name', filled(() => '(?<a>x)|', '/', '/')],
    ['names in deep blocks', filled(() => 'a;', '{', '}', 1500)],
    ['variables of deep blocks', filled(() => 'var a;', '{', '}', 1500)],
    ['declarations in every block', filled(() => 'let z;', '{let a,b,c,d,e,f;', '}', 1500)],
    ['declarations', filled(index => `let a${index.toString(36)};`)],
    ['functions', filled(index => `function f${index.toString(36)}(){}`)],
    ['parameters', filled(index => `a${index.toString(36)},`, '(', 'b)=>1')],
    ['yields and awaits in deep blocks', filled(() => 'yield;await;', '{', '}', 1500)],
    ['new.target in deep blocks', filled(() => 'new.target;', '{', '}', 1500)],
    ['jumps out of deep loops', filled(() => 'return;', 'for(;;){', '}', 800)],
    ['names of private members', filled(i => `#a${i.toString(36)} in x;`, 'class A{x=1;m(){', '}}', 300)],
    ['nested assignments', filled(() => 'a,', '[', ']=1', 1000)],
  ])('%s take a time that grows with the code', (_, code) => {
    expect(code(CHECKED_CHARS).length).toBeLessThanOrEqual(CHECKED_CHARS);
    expectLinear(unsafeIn, code, CHECKED_CHARS);
  });
});
