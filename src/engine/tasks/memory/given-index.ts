// The index as somebody outside gives it, to take the place of the one there is: all of it or nothing.
import type { IndexedFile, RepositorySource } from '@echelon/ground/workspace';
import { z } from 'zod';
import { didYouMean, ownData } from '@echelon/ground';
import { invalidInput } from '../../language/result.ts';
import type { GlobalIndex, IndexEntry } from './global-index.ts';
import { Metadata, printIndex } from './index-text.ts';

const Entry = z.strictObject({
  path: z.string().max(4096),
  metadata: Metadata,
  digest: z.string().max(128).optional(),
  bytes: z.number().optional(),
});

/** A line about a file. With the digest or the size of an entry that was read: only of that content. */
export type GivenEntry = Readonly<z.infer<typeof Entry>>;

/** As many as an index lists. */
const MOST_ENTRIES = 100_000;
/** Faults that an error tells of. */
const MOST_TOLD = 10;

const Given = z.array(Entry);

/** Reads the given entries once, as they are now. Throws TaskError INVALID_INPUT for entries that are none. */
export function readGiven(given: unknown): readonly GivenEntry[] {
  const { data, error } = Given.safeParse(ownData(given, MOST_ENTRIES, refused));
  if (data) return data;
  throw refused(told(error.issues.map(({ path, message }) => `[${path.join('].')}: ${message}`)));
}

/**
 * The index that has `entries` and nothing else, of the files as they are now, saved before it is answered. Throws
 * TaskError INVALID_INPUT where entries name a file twice, one that is not there, or one that has changed since its
 * entry was read; the signal's reason; and what the source throws. Then nothing is changed.
 */
export async function saveGiven(
  entries: readonly GivenEntry[],
  source: RepositorySource,
  signal: AbortSignal,
): Promise<GlobalIndex> {
  const { files } = await source.list();
  const index = placed(entries, new Map(files.map(file => [file.path, file])));
  // From here on it is done, whoever waits for it.
  signal.throwIfAborted();
  await source.save(printIndex(index));
  return index;
}

function placed(entries: readonly GivenEntry[], files: ReadonlyMap<string, IndexedFile>): GlobalIndex {
  const faults: string[] = [];
  const seen = new Set<string>();
  const index = entries.flatMap(({ path, metadata, digest, bytes }, at): IndexEntry[] => {
    const file = files.get(path);
    const isOther = file && ((digest ?? file.digest) !== file.digest || (bytes ?? file.bytes) !== file.bytes);
    if (seen.has(path)) faults.push(`[${at}]: ${path} has an entry already`);
    else if (!file) faults.push(`[${at}]: there is no file ${path}${didYouMean(path, files.keys())}`);
    else if (isOther)
      faults.push(`[${at}]: ${path} has changed since its entry was read; read the index again`);
    seen.add(path);
    return file ? [{ ...file, metadata }] : [];
  });
  if (faults.length > 0) throw refused(told(faults));
  return index.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const told = (faults: readonly string[]): string =>
  [
    ...faults.slice(0, MOST_TOLD),
    ...(faults.length > MOST_TOLD ? [`and ${faults.length - MOST_TOLD} more`] : []),
  ].join('; ');

const refused = (why: string) => invalidInput(`the index was not updated: ${why.slice(0, 4000)}`);
