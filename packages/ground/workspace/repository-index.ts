// Source of the memory index: files with digests of their contents, their texts, and one file in which the index
// is kept between runs.
import { pathFault } from './paths.ts';

export interface IndexedFile {
  path: string;
  /** Names the content: the blob's object id; of a changed file over 1 MB, which is not read, its size. */
  digest: string;
  bytes: number;
}

/** Input of `refreshIndex` of the memory system. */
export interface RepositorySource {
  /** At most 100,000 files; `isComplete` is false when there are more. */
  list(): Promise<{ files: IndexedFile[]; isComplete: boolean }>;
  /** Texts in the order of the files; undefined for one that is gone, larger than 1 MB, or not a regular file. */
  read(files: readonly IndexedFile[]): Promise<(string | undefined)[]>;
  /** The text that was last saved; undefined when there is none. */
  load(): Promise<string | undefined>;
  /** Replaces the saved text, as a whole or not at all. */
  save(text: string): Promise<void>;
}

/** More files than this are left out. */
export const mostFiles = 100_000;

/** Name of the file in which the index is kept, in the git directory or the mirror's folder. */
export const cacheName = 'echelon-index.json';

/** True for paths that the file tools list and accept: no refused name, nothing of `node_modules`. */
export function isIndexed(path: string): boolean {
  return !pathFault(path) && !(path.includes('node_modules') && path.split('/').includes('node_modules'));
}
