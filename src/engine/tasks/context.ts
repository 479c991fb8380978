// The context that a task sees: what it inherits and what memory gives it, by the table of the language.
import type { AtomicTask, Inherit, Task } from '../language/ast.ts';
import { nothingSpent, TaskError } from '../language/result.ts';
import { substitute } from '../language/substitute.ts';
import { askAt } from './ask.ts';
import { least, leftFor } from './ledger.ts';
import { fromMemory, joined, relevantContext } from './memory/relevant.ts';
import { shareOf, tailOf } from './memory/share.ts';
import { type Evaluator, nameOf, type TaskPlace } from './task-place.ts';
import { noContext, type Seen, type TaskContext } from './memory/memory.ts';

/**
 * The context of the session of `task`:
 *
 * | inherit | accumulate | sees |
 * |---|---|---|
 * | full | no | the parent's context, unchanged |
 * | full | yes | the parent's context, then the earlier outputs |
 * | subset | no | what matching selects for the task's text out of the parent's context |
 * | subset | yes | what matching selects, given both |
 * | none | no | a fresh match on the task's text alone |
 * | none | yes | a fresh match with the earlier outputs as input, then the earlier outputs |
 *
 * A task of a sequence that accumulates also always sees the outputs themselves, and those around the
 * sequence; of one that does not accumulate, those around it only where the task inherits. Where no memory was given
 * nothing can be matched: a subset is the whole, a fresh match is empty. Throws as `relevantContext`.
 */
export async function contextOf(task: AtomicTask, place: TaskPlace): Promise<Seen> {
  const { options, library } = place.evaluator;
  const memory = place.choosing ? undefined : options.memory;
  const inherit = task.context.inherit ?? place.inherit;
  const empty = task.context.clear || library.subtypes[task.subtype]?.clearContext === true;
  const inherited = empty ? noContext : place.context;
  const hides = empty || (inherit === 'none' && place.earlierIsOutside);
  const earlier = hides ? undefined : place.earlier;
  if (task.context.rebuild) await rebuildMemory(place);
  if (inherit === 'full') return free(withOutputs(inherited, earlier));
  if (!memory) return free(withOutputs(inherit === 'none' ? noContext : inherited, earlier));
  if (empty || (inherit === 'subset' && inherited === noContext))
    return free(withOutputs(inherited, earlier));
  const tokens = shareOf(
    options.models(task.model ?? place.given.model, nameOf(task)),
    options,
    least(task.limits.contextTokens, leftFor(place.ledger).contextTokens),
  );
  const request = {
    // The text of a task for matching: its description and its instructions.
    taskText: [task.description, task.instructions]
      .flatMap(template => (template ? [substitute(template, place.environment)] : []))
      .join('\n\n'),
    ...(inherit === 'subset' && { inheritedContext: inherited }),
    ...(earlier !== undefined && { previousOutputs: earlier }),
  };
  const chooser = { ask: askAt(place), library, options };
  const seen = await relevantContext(request, memory, place, chooser, tokens).catch((error: unknown) =>
    withoutContextAfter(error, options),
  );
  if (inherit === 'subset') return seen;
  // A fresh match leaves them out, and half of its tokens free for them.
  return { ...seen, context: withOutputs(seen.context, earlier && tailOf(earlier, Math.floor(tokens / 2))) };
}

/** The empty context in place of one that could not be made, where it is no more than an aid. */
function withoutContextAfter(error: unknown, { contextIsAid, onEvent }: Evaluator['options']): Seen {
  if (!contextIsAid || !(error instanceof TaskError && error.detail.code === 'TASK_FAILURE')) throw error;
  onEvent?.({ type: 'note', text: `no files are shown: ${error.message}` });
  return free(noContext);
}

/** True if `contextOf` would give the empty context without any call: the usual case, and a fast one. */
export function seesNothing({ evaluator, context, earlier }: TaskPlace): boolean {
  return !evaluator.options.memory && context === noContext && earlier === undefined;
}

/**
 * The place of the tasks in an operator: it hands on the context it has, and how much of it they inherit where they
 * do not say: as the operator says, else `otherwise` (default: as around it) and directors nothing, but nothing
 * within what inherits nothing. Choosing is left to the tasks that see it. With `<clear_memory>` they begin with an empty context; `<rebuild_memory>` indexes first.
 */
export async function placeWithin(task: Task, place: TaskPlace, otherwise?: Inherit): Promise<TaskPlace> {
  const { clear, inherit, rebuild } = task.context;
  if (rebuild) await rebuildMemory(place);
  const usual = place.inherit === 'none' ? 'none' : (otherwise ?? place.inherit);
  const directorUsual = otherwise === undefined ? place.directorInherit : 'none';
  const within = { ...place, inherit: inherit ?? usual, directorInherit: inherit ?? directorUsual };
  return clear ? { ...within, context: noContext, earlier: undefined } : within;
}

async function rebuildMemory({
  signal,
  evaluator: {
    options: { memory },
  },
}: TaskPlace): Promise<void> {
  if (memory) await fromMemory(() => memory.refresh(signal), signal);
}

const free = (context: TaskContext): Seen => ({ context, spent: nothingSpent });

function withOutputs(context: TaskContext, earlier: string | undefined): TaskContext {
  return earlier === undefined ? context : { ...context, text: joined(context.text, earlier) };
}
