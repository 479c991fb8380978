// The context of a task: text from the repository and from earlier steps, apart from all bindings.
import type { Spent } from '../language/result.ts';

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

/** What a task sees, and what the choosing of it cost. */
export interface Seen {
  context: TaskContext;
  spent: Spent;
}
