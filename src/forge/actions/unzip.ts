// Reads zip files that `zip.ts` wrote, an entry at a time and from disk.
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { signatures } from './zip.ts';

export interface ZipEntry {
  name: string;
  size: number;
  chunks: () => AsyncIterable<Buffer>;
}

/** The entries of a zip that `writeZip` wrote. Throws for anything else. */
export async function readZip(path: string): Promise<ZipEntry[]> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const end = await read(file, Math.max(0, size - 22), 22);
    if (end.length < 22 || end.readUInt32LE(0) !== signatures.end) throw new Error('It is not a zip.');
    const directory = await read(file, end.readUInt32LE(16), end.readUInt32LE(12));
    const entries: ZipEntry[] = [];
    for (let at = 0; entries.length < end.readUInt16LE(10); ) {
      if (directory.readUInt32LE(at) !== signatures.central) throw new Error('The zip is damaged.');
      const [packed, length] = [directory.readUInt32LE(at + 20), directory.readUInt32LE(at + 24)];
      const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
      const name = directory.toString('utf8', at + 46, nameEnd);
      const start = directory.readUInt32LE(at + 42) + 30 + Buffer.byteLength(name);
      entries.push({ name, size: length, chunks: () => inflated(path, start, packed, length) });
      at = nameEnd;
    }
    return entries;
  } finally {
    await file.close();
  }
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  return bytes.subarray(0, bytesRead);
}

/** Throws when there are more bytes than the zip says. */
async function* inflated(path: string, start: number, packed: number, size: number): AsyncGenerator<Buffer> {
  if (size === 0) return;
  const source = createReadStream(path, { start, end: start + packed - 1 });
  // What goes wrong is thrown where it is read.
  const unpacked = pipeline(source, createInflateRaw(), () => {});
  let left = size;
  for await (const chunk of unpacked) {
    left -= chunk.length;
    if (left < 0) throw new Error('The zip is damaged.');
    yield chunk;
  }
}
