// Programs that try to get out of the sandbox, to stay in it for ever, to fill the machine, or to deceive the host.
// Each says how it may end. `value` is the exact returned JSON where the attempt has one harmless answer.

export type End = 'completed' | 'failed' | 'timeout';

export interface Hostile {
  name: string;
  code: string;
  ends: readonly End[];
  value?: string;
  /** Runs under a smaller limit: the usual one is too large to be reached in the time. */
  fillsMemory?: true;
}

type Row = [name: string, code: string, value?: string];

const group = (ends: readonly End[], rows: Row[]): Hostile[] =>
  rows.map(([name, code, value]) => ({ name, code, ends, ...(value !== undefined && { value }) }));

/** Names of hosts; `hostCanary` is what the test puts onto its own global object. */
const hostNames = `
  process require module exports __dirname __filename global window self Deno Bun fetch
  XMLHttpRequest WebSocket EventSource Worker SharedWorker MessageChannel postMessage importScripts
  WebAssembly SharedArrayBuffer Atomics Buffer setImmediate structuredClone navigator std os bjson
  print load loadScript scriptArgs gc eval Function crypto localStorage indexedDB host hostCanary
`;

/** They look for the host and find nothing. */
const absent = group(
  ['completed'],
  hostNames
    .trim()
    .split(/\s+/)
    .reduce<string[][]>((rows, name, at) => {
      if (at % 10 === 0) rows.push([]);
      rows.at(-1)?.push(name);
      return rows;
    }, [])
    .map(
      (names): Row => [
        `no ${names.join(', ')}`,
        `return [${names.map(name => `typeof ${name}`).join(', ')}].every(type => type === 'undefined')`,
        'true',
      ],
    ),
);

/** There is nothing that makes code out of text: neither `eval` nor a constructor of functions. */
const codeFromText = group(
  ['failed'],
  [
    ['Function constructor', "return Function('return typeof process')()"],
    ['constructor of a constructor', "return globalThis.constructor.constructor('return typeof process')()"],
    ['console.log.constructor', "return console.log.constructor('return typeof process + typeof require')()"],
    ['async function constructor', "return await (async () => {}).constructor('return typeof process')()"],
    ['indirect eval', "return (0, eval)('typeof process')"],
    ['Reflect.construct', "return Reflect.construct(Function, ['return typeof require'])()"],
    [
      'constructor of an error from the host',
      "try { vault.get('x') } catch (e) { return e.constructor.constructor('return typeof process')() }",
    ],
  ],
);

const realm = group(
  ['completed'],
  [
    ['this of a sloppy function', 'return (function () { return typeof this.process })()', '"undefined"'],
    [
      'prototype chain of the stores',
      'let o = vault; const seen = []; while (o) { seen.push(typeof o.process); o = Object.getPrototypeOf(o) } return seen.join()',
      '"undefined,undefined"',
    ],
    ['arguments.callee.caller', 'return typeof (function () { return arguments.callee.caller })()'],
    [
      'functions of the call stack',
      `Error.prepareStackTrace = (e, sites) => sites.map(s => String(s.getFunction())).join();
       return typeof new Error('x').stack`,
      '"string"',
    ],
    [
      'prepareStackTrace by definition',
      "try { Object.defineProperty(Error, 'prepareStackTrace', { value: () => 'mine' }) } catch {} return new Error().stack === 'mine'",
      'false',
    ],
    ['this at the top', 'return typeof (this ?? {}).process', '"undefined"'],
    [
      'every global',
      'return Object.getOwnPropertyNames(globalThis).filter(n => /process|require|fetch|import|std|os$|Worker|Shared|Atomics/.test(n))',
      '[]',
    ],
    ['a symbol-keyed global', 'return Object.getOwnPropertySymbols(globalThis).map(String)'],
    [
      'a species constructor',
      "class P extends Promise { static get [Symbol.species]() { return Function } } try { P.resolve().then(() => {}) } catch (e) { return 'refused' } return 'done'",
    ],
  ],
);

const modules = group(
  ['failed'],
  [
    ['dynamic import of node:fs', "return await import('node:fs')"],
    ['dynamic import of a file', "return await import('file:///etc/passwd')"],
    ['dynamic import of data', "return await import('data:text/javascript,export default 1')"],
    ['dynamic import of os', "return await import('os')"],
    ['dynamic import with JSON', "return await import('./package.json', { with: { type: 'json' } })"],
    ['static import', "import fs from 'fs'; return fs"],
    ['export', 'export const x = 1'],
    ['import.meta', 'return import.meta.url'],
    ['require', "return require('child_process').execSync('id').toString()"],
    ['environment', 'return process.env'],
    ['fetch', "return await fetch('http://127.0.0.1/')"],
    ['a WebAssembly module', 'return new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))'],
    ['Atomics.wait', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'],
  ],
);

const wrappers = group(
  ['failed'],
  [
    ['closing the function', '}); console.log(1); (async function(){'],
    ['closing the function by a name', '}, vault, async function(){'],
    ['closing the method', '}}); ({async m(){'],
    ['closing and assigning a member', '}[console.log(1)] = async () => {'],
    ['a template after the function', '}`x`, async function(){'],
    ['an unclosed comment', '/* return 1'],
    ['an unclosed brace', 'if (true) {'],
    ['one brace too many', 'return 1 }'],
    ['a hashbang', '#!/usr/bin/env node\nreturn 1'],
    ['super', 'return super.constructor'],
  ],
);

const memoryBombs = group(
  ['failed', 'timeout'],
  [
    ['doubling string', "let s = 'x'; for (;;) s += s"],
    ['strings in an array', "const a = []; for (;;) a.push('x'.repeat(1e5) + a.length)"],
    ['join', "return new Array(2 ** 25).join('abcdefgh')"],
    ['array of objects', 'const a = []; for (;;) a.push({})'],
    ['fill', 'return new Array(2 ** 30).fill(0)'],
    ['ArrayBuffer at once', 'return new ArrayBuffer(2 ** 30)'],
    ['many ArrayBuffers', 'const a = []; for (;;) a.push(new ArrayBuffer(1e6))'],
    [
      'resizable ArrayBuffer',
      'const b = new ArrayBuffer(8, { maxByteLength: 2 ** 30 }); b.resize(2 ** 30); return 1',
    ],
    ['Uint8Array', 'return new Uint8Array(2 ** 31 - 1).length'],
    ['Map', 'const m = new Map(); for (let i = 0; ; i++) m.set(i, i)'],
    ['RegExps', "const a = []; for (let i = 0; ; i++) a.push(new RegExp('(a|b)'.repeat(500) + i))"],
    ['atoms', 'const o = {}; for (let i = 0; ; i++) o["k" + i] = i'],
    ['BigInt shift', 'return 1n << (1n << 40n)'],
    ['promises', 'const a = []; for (;;) a.push(new Promise(() => {}))'],
    ['pending microtasks', 'for (;;) Promise.resolve().then(() => {})'],
    ['timers', 'for (;;) setTimeout(() => {}, 1e6)'],
    ['deep JSON', "return JSON.parse('['.repeat(1e6) + ']'.repeat(1e6))"],
    ['wide JSON', "return JSON.parse('[' + '0,'.repeat(1e7) + '0]')"],
    ['bomb in toJSON', "return { toJSON() { return 'x'.repeat(2 ** 28) } }"],
    ['vault bomb', "for (let i = 0; ; i++) vault.set('k' + i, 'x'.repeat(100000))"],
    ['huge error message', "throw new Error('x'.repeat(1e7))"],
    ['huge error name', "const e = new Error('x'); e.name = 'n'.repeat(5e6); throw e"],
    [
      'huge error stack',
      "const e = new Error('x'); e.stack = '    at (js_execute:1:1)\\n'.repeat(2e5); throw e",
    ],
    ['huge thrown string', "throw 'x'.repeat(1e7)"],
    ['huge id', "vault.get('x'.repeat(5e6))"],
    [
      'an out of memory that is caught and repeated',
      'for (;;) { try { const a = []; for (;;) a.push(new ArrayBuffer(1e6)) } catch {} }',
    ],
    ['promise chain', 'const f = () => Promise.resolve().then(f); await f()'],
    ['a vault value of depth 600', 'let a = []; for (let i = 0; i < 600; i++) a = [a]; vault.set("a", a)'],
    ['a result of depth 600', 'let a = []; for (let i = 0; i < 600; i++) a = [a]; return a'],
    ['a result of depth 100,000', 'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a'],
  ],
);

const endless = group(
  ['timeout'],
  [
    ['for', 'for (;;);'],
    ['caught', 'for (;;) { try { for (;;); } catch {} }'],
    ['finally', 'try { for (;;); } finally { return "free" }'],
    ['finally that loops', 'try { for (;;); } finally { for (;;); }'],
    ['async function', 'await (async () => { for (;;); })()'],
    ['caught around await', 'await 0; try { await (async () => { for (;;); })() } catch { return "free" }'],
    ['await in a loop', 'for (;;) await 0'],
    ['microtasks', 'const f = () => queueMicrotask(f); f(); await new Promise(() => {})'],
    ['thenables', 'const t = { then(r) { r(t) } }; await t'],
    ['spread of an endless generator that yields nothing', 'function* g() { for (;;); } [...g()]'],
    ['getter of the result', 'return { get a() { for (;;); } }'],
    ['toJSON', 'return { toJSON() { for (;;); } }'],
    ['sort comparator', 'return [3, 2, 1].sort(() => { for (;;); })'],
    ['Proxy ownKeys of the result', 'return new Proxy({}, { ownKeys() { for (;;); } })'],
    ['Proxy getPrototypeOf of the result', 'return new Proxy({}, { getPrototypeOf() { for (;;); } })'],
    ['timer callback', 'setTimeout(() => { for (;;); }, 1); await new Promise(r => setTimeout(r, 1e6))'],
    ['timers that breed', 'const f = () => { setTimeout(f, 0) }; f(); await new Promise(() => {})'],
    ['an interval for ever', 'setInterval(() => {}, 1); await new Promise(() => {})'],
    ['a very long timer', 'await new Promise(r => setTimeout(r, 2 ** 31 - 1))'],
    [
      'a message getter of the thrown error',
      "throw Object.defineProperty(new Error(), 'message', { get() { for (;;); } })",
    ],
    [
      'a name of a printed function',
      "const f = () => {}; Object.defineProperty(f, 'name', { get() { for (;;); } }); console.log(f)",
    ],
    ['a printed object', 'console.log({ toJSON() { for (;;); } })'],
    ['a vault write', "vault.set('a', { toJSON() { for (;;); } })"],
    ['regex bomb (a+)+', "return /^(a+)+$/.test('a'.repeat(50) + 'b')"],
    ['regex bomb backreference', String.raw`return /^(?:(\w+)\1?)+$/.test('a'.repeat(60) + '!')`],
    ['console flood', "for (;;) console.log('x'.repeat(1000))"],
    ['console flood of empty lines', 'for (;;) console.log()'],
    ['missing reads flood', "for (let i = 0; ; i++) try { vault.get('m' + i) } catch {}"],
    ['vault overwrites', "for (let i = 0; ; i++) vault.set('a', i)"],
    ['timers set and cleared', 'for (;;) clearTimeout(setTimeout(() => {}, 1))'],
  ],
);

/** Native code over a pretended length; each may also refuse or end early. */
const slowNative = group(
  ['completed', 'failed', 'timeout'],
  [
    ['indexOf over 2^53', 'return Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)'],
    ['fill over 2^53', 'return Array.prototype.fill.call({ length: 2 ** 53 - 1 }, 1)'],
    ['join over 2^32', 'return Array.prototype.join.call({ length: 2 ** 32 }).length'],
    ['BigInt to text', 'return String(7n ** 300000n).length'],
    ['sort without a comparator', 'return Array.from({ length: 3e5 }, (_, i) => String(-i)).sort().length'],
    ['apply with many arguments', 'return Math.max.apply(null, { length: 2 ** 28 })'],
    ['an array of length 2^32-1', 'const a = []; a.length = 2 ** 32 - 1; return a'],
    ['sparse sort', 'const a = []; a[2 ** 32 - 2] = 1; a.sort(); return 1'],
    ['RegExp repetition', "return new RegExp('(?:a{0,1000}){0,1000}'.repeat(1000)).test('a'.repeat(1000))"],
  ],
);

const recursion = group(
  ['failed'],
  [
    ['function', 'const f = () => f() + 1; return f()'],
    ['Proxy as its own prototype', 'const p = new Proxy({}, {}); Object.setPrototypeOf(p, p); return p.x'],
    ['toJSON', 'const o = { toJSON() { return JSON.stringify(o) } }; return o'],
    ['a regex of depth 100,000', "return new RegExp('('.repeat(1e5) + ')'.repeat(1e5))"],
    [
      'through the host',
      "let n = 0; const f = () => { n++; console.log('x'); vault.list(); return f() + 1 }; return f()",
    ],
    ['through a store', "const f = () => { vault.set('a', { toJSON: f }) }; f()"],
  ],
);

/** They change the builtins under the harness. A result still comes, or a failure; never a broken host. */
const tampering = group(
  ['completed'],
  [
    ['JSON.stringify', "JSON.stringify = () => 'not json'; return { a: 1 }", '{"a":1}'],
    [
      'JSON.parse',
      "vault.set('a', { b: 1 }); JSON.parse = () => { throw 1 }; return vault.get('a')",
      '{"b":1}',
    ],
    ['JSON itself', 'globalThis.JSON = null; return { a: 1 }', '{"a":1}'],
    ['Promise.prototype.then', 'Promise.prototype.then = () => { throw 1 }; await 0; return 1', '1'],
    ['Promise', 'globalThis.Promise = null; return 1', '1'],
    [
      'Promise.prototype.constructor',
      "Object.defineProperty(Promise.prototype, 'constructor', { get() { throw 1 } }); return 2",
      '2',
    ],
    [
      'Promise species',
      'Object.defineProperty(Promise, Symbol.species, { get() { throw 1 } }); return 3',
      '3',
    ],
    [
      'Array.prototype.push',
      'Array.prototype.push = () => { throw 1 }; console.log(1, 2); return [1]',
      '[1]',
    ],
    [
      'Array iteration',
      'Array.prototype[Symbol.iterator] = () => { throw 1 }; setTimeout(() => {}, 1, 2, 3); console.log(1, 2); return [1]',
      '[1]',
    ],
    [
      'setters of array indexes',
      "Object.defineProperty(Array.prototype, 0, { set() { throw 1 }, configurable: true }); console.log('a'); return 'b'",
      '"b"',
    ],
    [
      'call and apply of functions',
      "const f = Object.getPrototypeOf(() => {}); f.call = f.apply = () => { throw 1 }; console.log('a'); vault.set('a', 1); return vault.get('a')",
      '1',
    ],
    ['Reflect', "globalThis.Reflect = null; vault.set('a', 1); return vault.get('a')", '1'],
    [
      'String.prototype.slice',
      "String.prototype.slice = () => 'lie'; console.log('a'); return 'text'",
      '"text"',
    ],
    [
      'Map.prototype',
      'for (const k of ["get", "set", "delete", "forEach"]) Map.prototype[k] = () => { throw 1 }; await new Promise(r => setTimeout(r, 1)); return 4',
      '4',
    ],
    ['Date.now', 'Date.now = () => 1e15; await new Promise(r => setTimeout(r, 1)); return 5', '5'],
    ['performance.now', 'performance.now = () => -1; return 6', '6'],
    [
      'Symbol.prototype',
      'Symbol.prototype.toString = () => { throw 1 }; return [Symbol("s")]',
      '["[Symbol(s)]"]',
    ],
    ['Math and Number', 'globalThis.Math = globalThis.Number = null; return 7', '7'],
    ['console', 'console.log = null; globalThis.console = { log() { throw 1 } }; return 8', '8'],
    ['the stores', "globalThis.vault = { get: () => 'mine' }; return vault.get('x')", '"mine"'],
    [
      'a frozen store',
      "vault.get = () => 'mine'; try { return vault.get('x') } catch (e) { return e.name }",
      '"ReferenceError"',
    ],
    ['the timers', 'globalThis.setTimeout = globalThis.clearTimeout = null; return 9', '9'],
    [
      'deletion of every global',
      'const g = globalThis; for (const k of Object.getOwnPropertyNames(g)) delete g[k]; return { a: [1] }',
      '{"a":[1]}',
    ],
    [
      'deletion of every prototype method',
      `const R = Reflect, all = [Object, String, Number, Promise, Map, Set, RegExp, Date, Error, Symbol, Array];
       for (let i = 0; i < 11; i++)
         for (let p = all[i].prototype, k = R.ownKeys(p), j = 0; j < k.length; j++) R.deleteProperty(p, k[j]);
       return { a: [1] }`,
      '{"a":[1]}',
    ],
    [
      'a frozen world',
      'for (const k of Object.getOwnPropertyNames(globalThis)) { const v = globalThis[k]; if (v) Object.freeze(v.prototype ?? v) } return 10',
      '10',
    ],
    ['Object.prototype pollution', "Object.prototype.polluted = 'yes'; return {}.polluted", '"yes"'],
    [
      'Object.prototype through __proto__',
      '({}).__proto__.polluted = 1; return JSON.parse(\'{"__proto__":{"a":1}}\')',
      '{"__proto__":{"a":1}}',
    ],
    [
      'setters on Object.prototype',
      "for (const k of ['status', 'value', 'holder', 'outer', 'content', 'kind', 'callback', 'json']) Object.defineProperty(Object.prototype, k, { __proto__: null, set() { throw 1 }, get() { throw 1 }, configurable: true }); vault.set('a', 1); return [1]",
      '[1]',
    ],
    ['a getter named then', 'return { get then() { return undefined }, a: 1 }', '{"a":1}'],
    ['Error.stackTraceLimit', 'Error.stackTraceLimit = 1e9; return 11', '11'],
    [
      'Symbol.hasInstance',
      'Object.defineProperty(Map, Symbol.hasInstance, { value: () => true }); return [[1]]',
      '[[1]]',
    ],
    ['eval replaced', "globalThis.eval = () => 'x'; return 12", '12'],
    ['queueMicrotask', 'globalThis.queueMicrotask = null; await 0; return 13', '13'],
  ],
);

const tamperingFails = group(
  ['failed'],
  [
    [
      'Object.prototype.toJSON that throws',
      'Object.prototype.toJSON = () => { throw new Error("lie") }; return {}',
    ],
    ['a getter that throws', 'return { get a() { throw new Error("x") } }'],
    ['a toJSON that throws', 'return { toJSON() { throw new TypeError("x") } }'],
    [
      'a Proxy that throws in every trap',
      'return new Proxy({}, new Proxy({}, { get() { throw new Error("trap") } }))',
    ],
    ['a revoked Proxy', 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy'],
    ['a thrown revoked Proxy', 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy'],
    ['a thrown undefined', 'throw undefined'],
    ['a thrown symbol', "throw Symbol('s')"],
    ['a thrown function', 'throw () => {}'],
    ['a thrown BigInt', 'throw 1n'],
    [
      'an error that lies about its fields',
      "const e = new Error('x'); e.name = {}; e.message = 5; e.stack = []; e.code = {}; throw e",
    ],
    ['an error with traps', "throw new Proxy(new Error('x'), { get() { throw 1 } })"],
    [
      'an error of a foreign line',
      "const e = new Error('x'); e.stack = '    at f (js_execute:99999:1)'; throw e",
    ],
    [
      'a negative line',
      "const e = new Error('x'); e.stack = '    at f (js_execute:-5:1)\\n    at /etc/passwd:1:1'; throw e",
    ],
    ['a rejected promise', "return Promise.reject(new Error('no'))"],
    [
      'a timer that throws',
      'setTimeout(() => { throw new Error("t") }, 1); await new Promise(r => setTimeout(r, 50))',
    ],
    [
      'a microtask that throws',
      'queueMicrotask(() => { throw new Error("m") }); await new Promise(r => setTimeout(r, 50))',
    ],
    ['a promise that never settles', 'await new Promise(() => {})'],
    ['a thenable that never settles', 'return { then() {} }'],
    ['a cleared timer', 'await new Promise(r => clearTimeout(setTimeout(r, 1)))'],
    ['a store with a symbol as id', "vault.get(Symbol('x'))"],
    ['a store with an object as id', "vault.get({ toString() { return 'last_execution_result' } })"],
    ['writing the reserved entry', "vault.set('last_execution_result', 1)"],
    ['a store value that is cyclic', "const a = {}; a.a = a; vault.set('a', a)"],
    ['a store value that is a BigInt', "vault.set('a', 1n)"],
    ['a store value that is undefined', "vault.set('a')"],
    ['a store value that is a function', "vault.set('a', () => 1)"],
    ['a task that is no object', "tasks.set('a', 'text')"],
    ['a task that is an array', "tasks.set('a', [])"],
    ['an empty id', "vault.set('', 1)"],
    ['an id of a prototype member', "vault.get('constructor')"],
    ['an id of __proto__', "vault.get('__proto__')"],
    ['an entry over its limit', "vault.set('a', 'x'.repeat(300000))"],
    ['a timer without a function', "setTimeout('process.exit()', 1)"],
    ['a false Map', 'return Object.create(Map.prototype)'],
  ],
);

/** Results that lie about what they are; every one comes back as JSON or by its name. */
const lies = group(
  ['completed'],
  [
    ['a toJSON that returns undefined', 'return { toJSON() { return undefined } }', 'undefined'],
    ['a toJSON that returns a function', 'return { toJSON() { return () => 1 } }', '"[function]"'],
    ['a toJSON that returns a symbol', "return { toJSON() { return Symbol('s') } }", '"[Symbol(s)]"'],
    ['a toJSON that returns a BigInt', 'return { toJSON() { return 5n } }', '"[bigint 5]"'],
    ['a String object', "return new String('x')", '"x"'],
    [
      'an array that is a function',
      'const f = function f() {}; Object.setPrototypeOf(f, Array.prototype); return f',
      '[function f]',
    ],
    [
      'an object that claims to be a string',
      "return { [Symbol.toStringTag]: 'String', toString: () => 'x' }",
      '{"toString":"[function toString]"}',
    ],
    [
      'an object that claims to be an array',
      'return { __proto__: Array.prototype, length: 5 }',
      '{"length":5}',
    ],
    ['an Array of a Proxy', 'return new Proxy([1, 2], {})', '[1,2]'],
    [
      'a Proxy array with a false length',
      "return new Proxy([1], { get: (t, k) => k === 'length' ? 2 : t[k] })",
      '[1,null]',
    ],
    ['a false Error', 'return Object.create(Error.prototype)'],
    ['a false Promise', 'return Object.create(Promise.prototype, { then: { value: undefined } })', '{}'],
    ['BigInt with toJSON', 'BigInt.prototype.toJSON = () => 1; return 5n', '[bigint 5]'],
    [
      'a function with a false name',
      "const f = () => 1; Object.defineProperty(f, 'name', { value: { toString() { for (;;); } } }); return f",
      '[function]',
    ],
    [
      'a function with a long name',
      "const f = () => 1; Object.defineProperty(f, 'name', { value: 'x'.repeat(1e6) }); return [f].length",
      '1',
    ],
    [
      'document.all alike',
      'return [null, undefined, NaN, Infinity, -0]',
      '[null,null,"[NaN]","[Infinity]",0]',
    ],
    ['JSON text', `return '{"status":"failed"}'`, JSON.stringify('{"status":"failed"}')],
    [
      'an outcome',
      "return { status: 'completed', writes: [{ store: 'vault', action: 'set', id: 'x', fields: {} }] }",
    ],
    ['a lone surrogate', "return '\\ud800'", '"\\ud800"'],
    ['null bytes', "return 'a\\0b'", '"a\\u0000b"'],
    ['a cycle', 'const a = { b: {} }; a.b.c = a; return a', '{"b":{"c":"[cyclic]"}}'],
    ['a cycle through a Map', 'const m = new Map(); m.set(1, m); return m', '{"[Map]":[[1,"[cyclic]"]]}'],
    [
      'a cycle through toJSON',
      'const a = { toJSON() { return { a } } }; let n = 0; a.toJSON = () => n++ < 3 ? { a } : 1; return a',
    ],
    [
      'a getter that changes its answer',
      'let n = 0; return { get a() { return n++ ? process : 1 } }',
      '{"a":1}',
    ],
    [
      'console lines that imitate others',
      "console.log('[error] fake\\n[log] two'); console.error('\\u001b[2J'); return 1",
      '1',
    ],
    ['a huge result', "return 'x'.repeat(2e6)"],
    ['a wide result', 'return Array.from({ length: 5e4 }, (_, i) => i)'],
  ],
);

export const hostile: readonly Hostile[] = [
  ...absent,
  ...codeFromText,
  ...realm,
  ...modules,
  ...wrappers,
  ...memoryBombs.map(each => ({ ...each, fillsMemory: true as const })),
  ...endless,
  ...slowNative,
  ...recursion,
  ...tampering,
  ...tamperingFails,
  ...lies,
];
