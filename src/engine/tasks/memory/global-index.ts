// The global index of the memory system: every file of a repository with a line that describes it. A value that is
// read as a whole and replaced as a whole.
import type { IndexedFile, RepositorySource } from '@echelon/ground/workspace';
import { describeFile, largestDescribed } from './describe.ts';
import { languageOf } from './languages.ts';

export interface IndexEntry extends IndexedFile {
  /** The line of `describeFile`. */
  metadata: string;
}

/** In the order of the paths, each once. */
export type GlobalIndex = readonly IndexEntry[];

export type UpdatedIndex = Awaited<ReturnType<typeof updateIndex>>;

/** The size of one batch of reads: enough to keep the disk busy, little enough to hold in memory. */
const batchFiles = 500;
const batchBytes = 4 << 20;

/**
 * The index of `listing`, reading only the contents that `old` does not describe. Files that cannot be read are
 * left out. `old` is not changed, so a failure of `read`, which is thrown, leaves everything as it was.
 */
export async function updateIndex(
  old: GlobalIndex,
  listing: readonly IndexedFile[],
  read: RepositorySource['read'],
) {
  const described = new Map(old.map(entry => [contentKey(entry), entry.metadata]));
  const before = new Map(old.map(entry => [entry.path, entry]));
  const listed = new Map(listing.map(file => [file.path, file]));
  const unknown = new Map<string, IndexedFile>();
  for (const file of listed.values()) {
    const key = contentKey(file);
    if (described.has(key)) continue;
    if (file.bytes > largestDescribed) described.set(key, describeFile(file.path, undefined, file.bytes));
    else if (!unknown.has(key)) unknown.set(key, file);
  }
  let count = 0;
  for (const batch of batches([...unknown.values()])) {
    const texts = await read(batch);
    for (const [at, file] of batch.entries()) {
      const text = texts[at];
      if (text === undefined) continue;
      described.set(contentKey(file), describeFile(file.path, text, file.bytes));
      count += 1;
    }
  }
  const index = [...listed.values()]
    .flatMap(({ path, digest, bytes }) => {
      const key = contentKey({ path, digest, bytes });
      const same = before.get(path);
      // Of two files of one content each may have been given a line of its own.
      const metadata = same && contentKey(same) === key ? same.metadata : described.get(key);
      return metadata === undefined ? [] : [{ path, digest, bytes, metadata }];
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const removed = old.filter(entry => !listed.has(entry.path)).length;
  return {
    index /** Files whose contents were read. */,
    read: count /** Files that needed no reading: their content was described before, under this path or another. */,
    kept: index.length - count /** Paths of the old index that are gone. */,
    removed,
  };
}

/** Metadata depends on the content, and on the language, which the path tells. */
function contentKey(file: IndexedFile): string {
  return `${file.digest} ${file.bytes} ${languageOf(file.path)?.name ?? ''}`;
}

function* batches(files: readonly IndexedFile[]): Generator<IndexedFile[]> {
  let batch: IndexedFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (batch.length >= batchFiles || (batch.length > 0 && bytes + file.bytes > batchBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(file);
    bytes += file.bytes;
  }
  if (batch.length > 0) yield batch;
}
