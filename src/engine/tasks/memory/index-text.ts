// The index as the text that is kept between runs.
import { jsonOf } from '@echelon/ground';
import { z } from 'zod';
import { longestMetadata } from './describe.ts';
import type { GlobalIndex } from './global-index.ts';

/** Raised whenever `describeFile` says something else of the same file: what was kept under another is not used. */
const version = 2;

const unseen = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f]/;

/** One line of an index. */
export const Metadata = z
  .string()
  .max(longestMetadata)
  .refine(text => !unseen.test(text), 'has a character that is not seen, or a line break');

const KeptIndex = z.strictObject({
  format: z.literal('echelon-index'),
  version: z.literal(version),
  entries: z.array(
    z.tuple([z.string().min(1), z.string().min(1).max(128), z.number().int().nonnegative(), Metadata]),
  ),
});

/** One JSON document: path, digest, bytes and metadata of each entry. */
export function printIndex(index: GlobalIndex): string {
  const entries = index.map(({ path, digest, bytes, metadata }) => [path, digest, bytes, metadata]);
  return `{"format":"echelon-index","version":${version},"entries":[\n${entries.map(entry => JSON.stringify(entry)).join(',\n')}\n]}\n`;
}

/** Undefined for anything that `printIndex` of this version did not write. */
export function parseIndex(text: string): GlobalIndex | undefined {
  const kept = KeptIndex.safeParse(jsonOf(text));
  if (!kept.success) return undefined;
  const index = kept.data.entries.map(([path, digest, bytes, metadata]) => ({
    path,
    digest,
    bytes,
    metadata,
  }));
  const isInOrder = index.every((entry, at) => at === 0 || index[at - 1]!.path < entry.path);
  return isInOrder ? index : undefined;
}
