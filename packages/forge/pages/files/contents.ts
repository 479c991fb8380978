// Contents of a repository path through the API, and detection of the character set.
import { isUtf8 } from 'node:buffer';
import type { entryJson, fileContent } from '../../repositories/contents.ts';
import type { Api } from '../api.ts';
import { contentsOf, type FilePlace } from './place.ts';

export type Entry = ReturnType<typeof entryJson>;
export type File = Awaited<ReturnType<typeof fileContent>>;

/** A folder's entries, or a file. Throws Refusal 404 where nothing stands. */
export const contentsAt = (api: Api, place: FilePlace): Promise<Entry[] | File> =>
  api.get<Entry[] | File>(contentsOf(place));

export const bytesOf = (file: File): Buffer | undefined =>
  file.encoding === 'base64' ? Buffer.from(file.content, 'base64') : undefined;

export const isMarkdown = (path: string): boolean => /\.(?:md|markdown)$/i.test(path);

/** As git tells it: a NUL in its beginning. */
const binaryWithin = 8000;

/** Character set of a text: Latin-1 if it is not UTF-8. Undefined for a binary file. */
export function charsetOf(bytes: Uint8Array): 'utf-8' | 'windows-1252' | undefined {
  if (bytes.subarray(0, binaryWithin).includes(0)) return undefined;
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

/** Bytes as people read them. */
export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const [unit, factor] = bytes < 1024 * 1024 ? (['KB', 1024] as const) : (['MB', 1024 * 1024] as const);
  return `${(bytes / factor).toFixed(1)} ${unit}`;
}
