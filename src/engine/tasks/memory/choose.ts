// Chooses the files that a task needs: by the associative memory task where a model answers, else by their words.
import { z } from 'zod';
import type { Json } from '@echelon/ground';
import { ModelFailure } from '../../models/model.ts';
import type { Library, Template } from '../../language/library.ts';
import { fencedOff } from '../../language/quote.ts';
import {
  addSpent,
  invalidOutput,
  nothingSpent,
  type Spent,
  TaskError,
  type TaskResult,
  throwIfFailed,
} from '../../language/result.ts';
import { estimateTokens } from '../../language/trim.ts';
import { type Ask, MEMORY_TASK } from '../ask.ts';
import type { EvaluateOptions } from '../options.ts';
import { programOf } from '../template-programs.ts';
import { preflight } from '../rights.ts';
import type { GlobalIndex, IndexEntry } from './global-index.ts';
import { briefly, narrow, termsIn } from './narrow.ts';
import { headOf, shareOf, tailOf } from './share.ts';

/** Files that are chosen at most. */
const MOST_RESULTS = 20;
/** The relevance, in 0..1, below which a file is left out. */
const LEAST_RELEVANCE = 0.3;
/** Asked once more after an answer that cannot be used. */
const MOST_ASKED = 2;
/** Found by their words in an index that is too large to be listed, at most. */
const MOST_NARROWED = 2_000;

export interface Wanted {
  taskText: string;
  previousOutputs: string;
  /** Context from no file that the task has anyway. */
  inherited: string;
}

/** The parts of a choice: the library's task is asked within a program or apart from any. */
export interface Chooser {
  ask: Ask;
  library: Library;
  options: EvaluateOptions;
}

export interface Choice {
  /** The most relevant first. */
  chosen: IndexEntry[];
  spent: Spent;
}

/**
 * The entries of `candidates` that `wanted` needs, at most 20. Where the library has no such task, full-text search
 * answers. Throws TaskError TASK_FAILURE `context_generation_failure`
 * when the task failed twice; notes have what both cost.
 */
export async function choose(
  candidates: GlobalIndex,
  wanted: Wanted,
  signal: AbortSignal,
  chooser: Chooser,
): Promise<Choice> {
  const template = chooser.library.find(MEMORY_TASK);
  if (!template) return { chosen: byWords(candidates, wanted), spent: nothingSpent };
  let spent = nothingSpent;
  let failure: TaskError | undefined;
  for (let n = 1; n <= MOST_ASKED; n++) {
    try {
      const tokens = windowOf(template, chooser);
      const listed = listing(candidates, wanted, tokens);
      if (listed.length === 0) return { chosen: [], spent };
      const answer = await chooser.ask(MEMORY_TASK, inputsOf(listed, wanted, tokens), `memory-${n}`);
      spent = addSpent(spent, answer.notes.dataUsage);
      return { chosen: read(answer, listed), spent };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof TaskError)) throw error;
      // A second try could be paid no more than the first.
      if (error.detail.code === 'RESOURCE_EXHAUSTION' && error.detail.resource === 'budget')
        throw error.with({ dataUsage: spent });
      spent = addSpent(spent, error.notes.dataUsage);
      failure = error;
    }
  }
  throw contextFailure(failure!, spent);
}

/** The error for the caller of a memory that failed twice. */
export function contextFailure(cause: Error, spent: Spent = nothingSpent): TaskError {
  return new TaskError(
    { code: 'TASK_FAILURE', reason: 'context_generation_failure' },
    `the context could not be made, and a second try failed too: ${cause.message}`,
    // A provider's failure is told from others by its own kind.
    { notes: { dataUsage: spent }, cause: cause.cause instanceof ModelFailure ? cause.cause : cause },
  );
}

/** Tokens of the index that the task's model may be shown. */
function windowOf(template: Template, { library, options }: Chooser): number {
  const program = programOf(template, library);
  preflight(program, options);
  const model = program.type === 'atomic' ? program.model : undefined;
  return shareOf(options.models(model, MEMORY_TASK), options);
}

const queryOf = ({ taskText, previousOutputs }: Wanted) => `${taskText}\n${previousOutputs}`;

const lineOf = ({ path, metadata }: IndexEntry) => `${path}  ${metadata}`;

/** A file that cannot be shown, or whose name would not stay in its line, is never chosen. */
export function canBeShown({ path, metadata }: IndexEntry): boolean {
  return !metadata.startsWith('binary, ') && !/[\p{Cc}\u2028\u2029]/u.test(path);
}

/** The entries that a model is shown: all, or those that full-text search finds, or else those nearest the root. */
function listing(candidates: GlobalIndex, wanted: Wanted, tokens: number): IndexEntry[] {
  const terms = termsIn(queryOf(wanted));
  const brief = (entry: IndexEntry) => ({ ...entry, metadata: briefly(entry.metadata, terms) });
  const whole = candidates.filter(canBeShown).map(brief);
  if (estimateTokens(whole.map(lineOf).join('\n')) <= tokens) return whole;
  const found = narrow(candidates, queryOf(wanted), MOST_NARROWED)
    .map(({ entry }) => brief(entry))
    .filter(canBeShown);
  const depth = ({ path }: IndexEntry) => path.split('/').length;
  const best = found.length > 0 ? found : whole.sort((a, b) => depth(a) - depth(b));
  let left = tokens;
  const listed: IndexEntry[] = [];
  for (const entry of best) {
    left -= estimateTokens(`${lineOf(entry)}\n`);
    if (left < 0) break;
    listed.push(entry);
  }
  return listed;
}

/** Texts stand between fences: nothing in them can pass for words of the task. */
function inputsOf(listed: readonly IndexEntry[], wanted: Wanted, tokens: number): Record<string, Json> {
  const part = Math.floor(tokens / 2);
  return {
    task_text: fencedOff(headOf(wanted.taskText, part)),
    index: fencedOff(listed.map(lineOf).join('\n')),
    previous_outputs: fencedOff(tailOf(wanted.previousOutputs, part)),
    inherited: fencedOff(headOf(wanted.inherited, part)),
    max_results: MOST_RESULTS,
    relevance_threshold: LEAST_RELEVANCE,
  };
}

const Answer = z.array(z.looseObject({ path: z.string(), relevance: z.number() }));

/** Paths that were not listed are dropped, and those of little relevance. Throws TaskError INVALID_OUTPUT. */
function read(answer: TaskResult, listed: readonly IndexEntry[]): IndexEntry[] {
  throwIfFailed(answer, MEMORY_TASK);
  const { data, error } = Answer.safeParse(answer.outputs['matches']);
  if (!data) {
    const violation = `output "matches" is not a list of {path, relevance}: ${z.prettifyError(error).slice(0, 500)}`;
    throw invalidOutput(violation);
  }
  const byPath = new Map(listed.map(entry => [entry.path, entry]));
  const scores = new Map<IndexEntry, number>();
  for (const { path, relevance } of data) {
    const entry = byPath.get(path);
    if (entry && relevance >= LEAST_RELEVANCE) scores.set(entry, Math.max(relevance, scores.get(entry) ?? 0));
  }
  return [...scores]
    .sort(([a, x], [b, y]) => y - x || (a.path < b.path ? -1 : 1))
    .slice(0, MOST_RESULTS)
    .map(([entry]) => entry);
}

/** A score of full-text search depends on how long the request is: it counts against the best one. */
function byWords(candidates: GlobalIndex, wanted: Wanted): IndexEntry[] {
  const found = narrow(candidates, queryOf(wanted), MOST_NARROWED).filter(({ entry }) => canBeShown(entry));
  const least = (found[0]?.score ?? 0) * LEAST_RELEVANCE;
  return found
    .filter(({ score }) => score >= least)
    .slice(0, MOST_RESULTS)
    .map(({ entry }) => entry);
}
