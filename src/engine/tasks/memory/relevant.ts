// Context for a task: the files of the repository that it needs, beside what it has from the steps before.
import { z } from 'zod';
import { nothingSpent, TaskError } from '../../language/result.ts';
import { estimateTokens } from '../../language/trim.ts';
import type { Evaluator, TaskPlace } from '../task-place.ts';
import { noContext, type Seen, type TaskContext } from '../task-context.ts';
import { type Apart, together } from '../together.ts';
import { canBeShown, choose, contextFailure } from './choose.ts';
import type { GlobalIndex, IndexEntry } from './global-index.ts';
import type { Memory } from './memory.ts';
import { AID_TOKENS, allFit, type FileText, layOutFiles, SHARE_TOKENS, tailOf } from './share.ts';

export interface ContextRequest {
  /** Outputs of the steps before, as text. */
  previousOutputs?: string;
  /** To choose from its files alone; absent: from the whole index. */
  inheritedContext?: TaskContext;
  /** What the task is about; never blank. */
  taskText: string;
}

const Request = z.strictObject({
  previousOutputs: z.string().optional(),
  inheritedContext: z
    .strictObject({
      text: z.string(),
      matches: z.array(z.tuple([z.string()], z.string().optional())),
      apart: z.string().optional(),
    })
    .optional(),
  taskText: z.string().regex(/\S/, 'is blank'),
});

/** Files that are read at a time. */
const PARALLEL = 8;

/**
 * A context within `tokens` (default 20,000): what of the inherited one came from no file, the chosen files, then the
 * outputs of the steps before. Files that fit as they are need no choosing; a chosen one that is not there or is no
 * text is left out. Where context is an aid (EvaluateOptions) nothing is chosen. The same memory and the same answers give the same context.
 * Throws TaskError INVALID_INPUT for a malformed request, TASK_FAILURE `context_generation_failure` when the memory
 * or the choice failed twice; the signal's reason.
 */
export async function relevantContext(
  request: ContextRequest,
  memory: Memory,
  place: TaskPlace,
  evaluator: Evaluator,
  tokens: number = SHARE_TOKENS,
): Promise<Seen> {
  check(request);
  const { taskText, previousOutputs = '', inheritedContext = noContext } = request;
  const apart = apartIn(inheritedContext);
  const earlier = tailOf(previousOutputs, Math.floor((tokens - estimateTokens(apart)) / 2));
  const left = tokens - estimateTokens(apart) - estimateTokens(earlier);
  const isAid = evaluator.options.contextIsAid === true;
  const room = isAid ? Math.min(left, AID_TOKENS) : left;

  const candidates = await candidatesFor(request, memory, place.signal);
  const shown = candidates.filter(canBeShown);
  const fit = allFit(shown, room);
  const wanted = { taskText, previousOutputs, inherited: apart };
  const { chosen, spent } =
    fit || isAid
      ? { chosen: fit ? shown : [], spent: nothingSpent }
      : await choose(candidates, wanted, place, evaluator);

  const files = await readFiles(chosen, memory, place).catch((error: unknown) => {
    throw error instanceof TaskError ? error.with(spent) : error;
  });
  // A fresh match takes the earlier outputs as its input and shows its own choice only.
  const seen = request.inheritedContext ? earlier : '';
  const laidOut = layOutFiles(files, room);
  return {
    context: {
      text: joined(apart, laidOut.text, seen),
      matches: laidOut.matches,
      apart: joined(apart, seen),
    },
    spent,
  };
}

function check(request: ContextRequest): void {
  const { error } = Request.safeParse(request);
  if (!error) return;
  throw new TaskError(
    { code: 'INVALID_INPUT' },
    `the request for context is malformed: ${z.prettifyError(error).replaceAll('\n', ' ')}`,
  );
}

function apartIn({ text, matches, apart }: TaskContext): string {
  return apart ?? (matches.length === 0 ? text : '');
}

/** Texts one after another, a blank line between them. */
export function joined(...parts: readonly string[]): string {
  return parts.filter(part => part !== '').join('\n\n');
}

/** The index itself where all of it may be chosen from: searching it again is then fast. */
async function candidatesFor(
  { inheritedContext }: ContextRequest,
  memory: Memory,
  signal: AbortSignal,
): Promise<GlobalIndex> {
  if (inheritedContext?.matches.length === 0) return [];
  const index = await fromMemory(() => memory.index(signal), signal);
  if (!inheritedContext) return index;
  const paths = new Set(inheritedContext.matches.map(([path]) => path));
  return index.filter(({ path }) => paths.has(path));
}

async function readFiles(entries: GlobalIndex, memory: Memory, outer: Apart): Promise<FileText[]> {
  const read = async ({ path, metadata }: IndexEntry, _at: number, { signal }: Apart) => {
    const text = await fromMemory(() => memory.read(path, signal), signal);
    return text === undefined ? [] : [{ path, metadata, text }];
  };
  return (await together(entries, read, outer, { limit: PARALLEL })).flat();
}

/** What a memory answers, asked twice where it fails. Throws TaskError `context_generation_failure`. */
export async function fromMemory<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let n = 1; ; n++) {
    signal.throwIfAborted();
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      if (n === 2) throw contextFailure(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
