// The bounds within which a body is read: its own size, that of all together, and time.
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { bodyReader } from '../../../packages/ground/lib/body.ts';
import { stillClock } from './clocks.ts';

const limits = { largest: 10, together: 15, patienceMs: 1000 };
const turn = () => new Promise(resolve => setImmediate(resolve));
const text = async (body: string) => body;

/** A body that comes as the test pushes it. */
function body(length?: number): Readable & { headers: { 'content-length'?: string } } {
  const source = new Readable({ read() {} });
  return Object.assign(source, { headers: length === undefined ? {} : { 'content-length': String(length) } });
}

function whole(...chunks: (string | Uint8Array)[]) {
  const source = body();
  for (const chunk of chunks) source.push(Buffer.from(chunk));
  source.push(null);
  return source;
}

test.each<[what: string, chunks: (string | Uint8Array)[], read: string]>([
  ['nothing', [], ''],
  ['as much as is allowed', ['12345', '67890'], '1234567890'],
  ['a character that two chunks share', [[0xc3], [0xbc, 0x21]].map(each => Uint8Array.from(each)), 'ü!'],
  ['a byte order mark, which belongs to what was signed', ['\ufeff{}'], '\ufeff{}'],
])('reads %s', async (_what, chunks, read) => {
  expect(await bodyReader(limits, stillClock())(whole(...chunks), text)).toBe(read);
});

test('keeps nothing of a chunk but its bytes, of which each may cost as much as the block that it came in', async () => {
  const chunk = Buffer.alloc(1);
  async function* chunks() {
    for (const byte of '1234567') yield Object.assign(chunk, [byte.charCodeAt(0)]);
  }
  const source = { headers: {}, iterator: chunks };
  expect(await bodyReader(limits, stillClock())(source, text)).toBe('1234567');
});

test.each<[what: string, source: () => ReturnType<typeof body>, status: number]>([
  ['says that it is larger', () => body(11), 413],
  ['is larger', () => whole('123456', '78901'), 413],
  ['is not UTF-8', () => whole(Uint8Array.of(0x22, 0xff, 0x22)), 400],
  ['ends inside a character', () => whole(Uint8Array.of(0xc3)), 400],
  ['is cut off', () => body().destroy(new Error('aborted')), 400],
])('refuses one that %s', async (_what, source, status) => {
  await expect(bodyReader(limits, stillClock())(source(), text)).rejects.toMatchObject({ status });
});

test('refuses one that takes too long, and leaves its stream open for the answer', async () => {
  const clock = stillClock();
  const slow = body(10);
  const read = bodyReader(limits, clock)(slow, text);
  slow.push('1');
  await turn();
  clock.advance(1000);
  await expect(read).rejects.toMatchObject({ status: 408 });
  expect(slow.destroyed).toBe(false);
});

test('of too much at once refuses the largest that is still coming, and takes the others', async () => {
  const read = bodyReader(limits, stillClock());
  const [large, small, last] = [body(), body(), body()];
  const reads = [large, small, last].map(source => read(source, text));
  const refused = expect(reads[0]).rejects.toMatchObject({ status: 503 });
  large.push('123456789');
  await turn();
  small.push('12345');
  await turn();
  last.push('12');
  await refused;
  for (const source of [small, last]) source.push(null);
  expect(await Promise.all(reads.slice(1))).toEqual(['12345', '12']);
});

test('a body counts until what it is read for is done', async () => {
  const read = bodyReader(limits, stillClock());
  const { promise, resolve } = Promise.withResolvers<string>();
  const first = read(whole('1234567890'), () => promise);
  await turn();
  await expect(read(whole('123456'), text)).rejects.toMatchObject({ status: 503 });
  resolve('done');
  expect(await first).toBe('done');
  expect(await read(whole('123456'), text)).toBe('123456');
});
