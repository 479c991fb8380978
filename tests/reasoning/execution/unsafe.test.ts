// What the safe strategy refuses and what it lets through, found by parsing.
import { describe, expect, it } from 'vitest';
import { unsafeIn } from '../../../src/reasoning/execution/unsafe.ts';

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
  ])('%s', code => expect(unsafeIn(code)).toMatchObject({ name: 'UnsafeCodeError', message: /^a loop/ }));
});

describe('refuses code out of text', () => {
  it.each([
    'eval("1")',
    '(0, eval)("1")',
    'const run = eval',
    'return [eval][0]("1")',
    'globalThis.eval("1")',
    'globalThis["eval"]("1")',
    'globalThis[`eval`]("1")',
    'this.eval("1")',
    'const { eval: run } = globalThis',
    'const { "eval": run } = globalThis',
    'const { Function } = globalThis',
    'new Function("return 1")()',
    'Function("return 1")()',
    'new globalThis.Function("return 1")',
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
    'while (true) { await step() }',
    'for (;;) { for await (const x of xs) {} }',
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
    'const o = { eval: 1, Function() {} }; return o.eval',
    'class A { eval() {} static Function = 1 }',
    'return await Promise.all([1])',
    'return 1',
    '',
  ])('%s', code => expect(unsafeIn(code)).toBeUndefined());
});

it('tells the place of the first finding', () => {
  expect(unsafeIn('const a = 1;\n\n  for (;;) { eval("1") }')).toEqual({
    name: 'UnsafeCodeError',
    message: 'a loop without end has no way out: no break, return, throw or await leaves it',
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
    ['brackets', '('.repeat(60_000)],
    ['blocks', `${'{'.repeat(30_000)}${'}'.repeat(30_000)}`],
    ['members', `a${'.a'.repeat(60_000)}`],
    ['operators', `1${'+1'.repeat(60_000)}`],
  ])('too many %s are refused', (_, code) => {
    expect(unsafeIn(code)).toMatchObject({ message: 'the code is nested too deeply to be checked' });
  });

  it('is not parsed when it is too long', () => {
    expect(unsafeIn(' '.repeat(131_073))).toMatchObject({
      message: 'the code has 131073 characters; 131072 are checked at most',
    });
  });
});
