// Writes zip files, from disk to disk. With Node's own deflate: it takes 80 lines, and the one library that is here for
// zip files (yauzl) reads them only. Without ZIP64, which no artifact of the forge needs.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

/** Without ZIP64: entries, and bytes of the whole. */
const mostEntries = 0xffff;
const mostBytes = 0xffffffff;

/** Signatures at the beginning of a zip's parts. */
const signatures = { local: 0x04034b50, descriptor: 0x08074b50, central: 0x02014b50, end: 0x06054b50 };
/** Sizes follow the data; names are UTF-8. */
const flags = 0x0808;
const deflated = 8;
/** 1980-01-01, the first day there is: an artifact of the same files is the same bytes. */
const date = 0x21;

export interface ZipSource {
  /** Path in the zip, with slashes. */
  name: string;
  /** The bytes; read once. Throwing ends the whole. */
  chunks: () => AsyncIterable<Buffer> | Iterable<Buffer>;
}

interface Entry {
  name: string;
  checksum: number;
  packed: number;
  size: number;
  /** Of its local header. */
  offset: number;
}

/** Writes a zip to `path` and gives its size and SHA-256. Throws when it is larger than the format allows. */
export async function writeZip(
  path: string,
  sources: readonly ZipSource[],
  level = 6,
): Promise<{ size: number; sha256: string }> {
  if (sources.length > mostEntries) throw new Error(`A zip holds ${mostEntries} files at most.`);
  const hash = createHash('sha256');
  const target = await open(path, 'w', 0o600);
  let size = 0;
  const write = async (bytes: Buffer) => {
    size += bytes.length;
    if (size > mostBytes) throw new Error('A zip holds 4 GB at most.');
    hash.update(bytes);
    await target.writeFile(bytes);
  };
  try {
    const entries: Entry[] = [];
    for (const source of sources) entries.push(await writeEntry(source, size, level, write));
    const start = size;
    for (const entry of entries) await write(centralHeader(entry));
    await write(endRecord(entries.length, start, size - start));
    return { size, sha256: hash.digest('hex') };
  } finally {
    await target.close();
  }
}

async function writeEntry(
  { name, chunks }: ZipSource,
  offset: number,
  level: number,
  write: (bytes: Buffer) => Promise<void>,
): Promise<Entry> {
  const entry = { name, checksum: 0, packed: 0, size: 0, offset };
  const method: Field[] = [
    [20, 2],
    [flags, 2],
    [deflated, 2],
    [0, 2],
    [date, 2],
  ];
  await write(fields(signatures.local, ...method, ...zeros(3), ...nameOf(name)));
  await pipeline(
    async function* () {
      for await (const chunk of chunks()) {
        entry.checksum = crc32(chunk, entry.checksum);
        entry.size += chunk.length;
        yield chunk;
      }
    },
    createDeflateRaw({ level }),
    async (packed: AsyncIterable<Buffer>) => {
      for await (const chunk of packed) {
        entry.packed += chunk.length;
        await write(chunk);
      }
    },
  );
  await write(fields(signatures.descriptor, [entry.checksum, 4], [entry.packed, 4], [entry.size, 4]));
  return entry;
}

/** A number and its length in bytes. */
type Field = [value: number, bytes: number];

const zeros = (count: number): Field[] => Array.from({ length: count }, () => [0, 4]);

/** The lengths of name and extra field, and the name. */
const nameOf = (name: string): (Field | Buffer)[] => {
  const bytes = Buffer.from(name);
  return [[bytes.length, 2], [0, 2], bytes];
};

function centralHeader({ name, checksum, packed, size, offset }: Entry): Buffer {
  const bytes = Buffer.from(name);
  // Made on Unix, a regular file that all may read.
  const attributes = (0o100644 << 16) >>> 0;
  const sizes: Field[] = [
    [checksum, 4],
    [packed, 4],
    [size, 4],
  ];
  const method: Field[] = [
    [0x0314, 2],
    [20, 2],
    [flags, 2],
    [deflated, 2],
    [0, 2],
    [date, 2],
  ];
  const rest: Field[] = [
    [bytes.length, 2],
    [0, 2],
    [0, 2],
    [0, 2],
    [0, 2],
    [attributes, 4],
    [offset, 4],
  ];
  return fields(signatures.central, ...method, ...sizes, ...rest, bytes);
}

const endRecord = (count: number, start: number, length: number): Buffer =>
  fields(signatures.end, [0, 2], [0, 2], [count, 2], [count, 2], [length, 4], [start, 4], [0, 2]);

/** Little-endian numbers of 2 or 4 bytes after a signature, and bytes as they are. */
function fields(signature: number, ...parts: (Field | Buffer)[]): Buffer {
  const number = (value: number, length: number) => {
    const bytes = Buffer.alloc(length);
    bytes.writeUIntLE(value, 0, length);
    return bytes;
  };
  return Buffer.concat([
    number(signature, 4),
    ...parts.map(part => (Buffer.isBuffer(part) ? part : number(...part))),
  ]);
}
