// Context for a task: the files of the repository that it needs, beside what it has from the steps before.
import { nothingSpent } from '../../language/result.ts';
import { failingWith } from '../ledger.ts';
import { estimateTokens } from '../../language/trim.ts';
import { noContext, type Seen, type Memory } from './memory.ts';
import { type Apart, together } from '../together.ts';
import { canBeShown, type Chooser, choose, contextFailure } from './choose.ts';
import { type ContextRequest, malformedRequest } from './context-request.ts';
import type { GlobalIndex, IndexEntry } from './global-index.ts';
import { AID_TOKENS, allFit, type FileText, layOutFiles, SHARE_TOKENS, tailOf } from './share.ts';

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
  within: Apart,
  chooser: Chooser,
  tokens: number = SHARE_TOKENS,
): Promise<Seen> {
  const { taskText, previousOutputs = '', inheritedContext = noContext, known } = request;
  if (!/\S/.test(taskText)) throw malformedRequest('taskText is blank');
  const { text, matches } = inheritedContext;
  const apart = known ?? inheritedContext.apart ?? (matches.length === 0 ? text : '');
  const earlier = tailOf(previousOutputs, Math.floor((tokens - estimateTokens(apart)) / 2));
  const left = tokens - estimateTokens(apart) - estimateTokens(earlier);
  const isAid = chooser.options.contextIsAid === true;
  const room = isAid ? Math.min(left, AID_TOKENS) : left;

  const candidates = await candidatesFor(request, memory, within.signal);
  const shown = candidates.filter(canBeShown);
  const fit = allFit(shown, room);
  const wanted = { taskText, previousOutputs, inherited: apart };
  const { chosen, spent } =
    fit || isAid
      ? { chosen: fit ? shown : [], spent: nothingSpent }
      : await choose(candidates, wanted, within.signal, chooser);

  const files = await readFiles(chosen, memory, within).catch(failingWith({ dataUsage: spent }));
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

/** Asks the memory, twice where it fails. Throws TaskError `context_generation_failure`. */
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
