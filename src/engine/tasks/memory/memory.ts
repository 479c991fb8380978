// The seam to a repository's memory, and the context that a task gets of it, apart from all bindings.
import type { GlobalIndex } from './global-index.ts';
import type { Spent } from '../../language/result.ts';

export interface Memory {
  /** The index as it is; the first call may build it. */
  index(signal: AbortSignal): Promise<GlobalIndex>;
  /** Indexes again, reading only what has changed. */
  refresh(signal: AbortSignal): Promise<void>;
  /** A file's text; undefined for one that is not there or is no text. */
  read(path: string, signal: AbortSignal): Promise<string | undefined>;
}

export interface TaskContext {
  readonly text: string;
  /** Files that the text was made of. */
  readonly matches: readonly FileMatch[];
  /** The part of `text` that came from no file; absent: all of it where there are no matches, else nothing. */
  readonly apart?: string;
}

/** A path, and what the index says of it. */
export type FileMatch = readonly [path: string, metadata?: string];

export const noContext: TaskContext = { text: '', matches: [] };

/** The context of a task, and the cost of choosing it. */
export interface Seen {
  context: TaskContext;
  spent: Spent;
}
