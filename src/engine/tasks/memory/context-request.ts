// Requests for a context to the memory system. A caller outside of a program may hand over anything.
import { z } from 'zod';
import { ownData } from '@echelon/ground';
import { invalidInput } from '../../language/result.ts';
import type { FileMatch, TaskContext } from './memory.ts';

export interface ContextRequest {
  /** Outputs of the steps before, as text. */
  previousOutputs?: string;
  /** To choose from its files alone; absent: from the whole index. */
  inheritedContext?: TaskContext;
  /** A text that is known already, beside which files are chosen; default: what of the inherited context came from no file. */
  known?: string;
  /** The text of the task; never blank. */
  taskText: string;
}

/** Context for a task: text, and the files that it was made of, in no order. */
export interface RelevantContext {
  context: string;
  matches: readonly FileMatch[];
  /** The part of `context` that came from no file; absent: all of it where there are no matches, else nothing. */
  apart?: string;
}

/** The request of a caller outside of a program. */
export interface RelevantContextRequest {
  /** The text of the task. */
  taskText: string;
  /**
   * A context: its files are chosen from, and no others. A text: what is known already, beside which files are chosen
   * from the whole index, as without any.
   */
  inheritedContext?: string | RelevantContext;
  /** Outputs of the steps before, by which files are chosen; shown after the files of an inherited context. */
  previousOutputs?: string;
}

/** Characters of one text: far more than any window holds. */
const LONGEST = 4 << 20;
/** Files of one context: as many as an index lists. */
const MOST_FILES = 100_000;

const text = z.string().max(LONGEST);
const alone = { taskText: text.regex(/\S/, 'is blank'), previousOutputs: text.optional() };
const Context = z.strictObject({
  context: text,
  matches: z.array(z.tuple([text], text.optional())).max(MOST_FILES),
  apart: text.optional(),
});

const WithText = z.strictObject({ ...alone, inheritedContext: text });
const WithContext = z.strictObject({ ...alone, inheritedContext: Context.optional() });
/** By what is inherited, so that a fault is told of the one that was meant. */
const requestLike = (given: unknown) =>
  typeof (given as { inheritedContext?: unknown } | undefined)?.inheritedContext === 'string'
    ? WithText
    : WithContext;

/**
 * The request of a caller, whatever it hands over: own data only, and none of it asked twice. Throws TaskError
 * INVALID_INPUT with the place of what is missing, of another type, unknown, inherited, computed, or too large.
 */
export function readContextRequest(given: unknown): ContextRequest {
  const own = ownData(given, MOST_FILES, malformedRequest);
  const { data, error } = requestLike(own).safeParse(own);
  if (!data) throw malformedRequest(z.prettifyError(error).replaceAll('\n', ' '));
  const { taskText, inheritedContext: inherited, previousOutputs } = data;
  const request: ContextRequest = { taskText, ...(previousOutputs !== undefined && { previousOutputs }) };
  if (inherited === undefined) return request;
  if (typeof inherited === 'string') return { ...request, known: inherited };
  const { context, matches, apart } = inherited;
  const files = matches.map(
    ([path, metadata]): FileMatch => (metadata === undefined ? [path] : [path, metadata]),
  );
  const inheritedContext = { text: context, matches: files, ...(apart !== undefined && { apart }) };
  return { ...request, inheritedContext };
}

/** The error of a request that is not as it should be. */
export const malformedRequest = (why: string) =>
  invalidInput(`the request for context is malformed: ${why.slice(0, 2000)}`);
