// The seam to a repository's memory: its index, and the files that the index names.
import type { GlobalIndex } from './global-index.ts';

export interface Memory {
  /** The index as it is; the first call may build it. */
  index(signal: AbortSignal): Promise<GlobalIndex>;
  /** Indexes again, reading only what has changed. */
  refresh(signal: AbortSignal): Promise<void>;
  /** A file's text; undefined for one that is not there or is no text. */
  read(path: string, signal: AbortSignal): Promise<string | undefined>;
}
