// Another way for an atomic task that failed: a decomposition or another approach, written by the reparse task.
import { longestBound, placeholders } from '../language/text.ts';
import { settingNames } from '../language/names.ts';
import type { Environment } from '../language/environment.ts';
import { type Json, messageOf } from '@echelon/ground';
import { type AtomicTask, type Input, type Task, textsOf } from '../language/ast.ts';
import { printTask } from '../language/print.ts';
import {
  addSpent,
  type FailedTry,
  invalidOutput,
  nothingSpent,
  type Spent,
  TaskError,
  type TaskResult,
} from '../language/result.ts';
import { usedUp } from './ledger.ts';
import { readAlternative } from './alternative.ts';
import { askAt } from './ask.ts';
import { type Act, nameOf, type TaskPlace } from './task-place.ts';
import { noContext } from './memory/memory.ts';

/** Recoveries within one another: what the third puts in the place of a task fails for good. */
const MOST_RECOVERIES = 3;

/** Sessions of everything that is done in the place of one task: calls and lists multiply what a program says once. */
const MOST_SESSIONS = 50;

/** Asked again, with what is wrong, after an answer that cannot be used. */
const MOST_ANSWERS = 2;

/** Characters of a program that the notes of a result keep. */
const MOST_KEPT = 10_000;

/** Characters of a reason that a warning keeps: it may quote what a model wrote. */
const MOST_WORDS = 500;

/**
 * The result of what the library's `reparse` task puts in the place of `task`, which failed with `error`: a
 * decomposition when a resource was exhausted, another approach when the output was invalid or nothing moved on.
 * Throws `error` when it is of another kind, and when there is no other way; the error of the last way when that
 * fails, too. Notes have all attempts, and what they cost.
 */
export async function recover(task: AtomicTask, error: TaskError, place: TaskPlace): Promise<TaskResult> {
  const { recoveries } = place;
  if (!recoveries || recoveries.length >= MOST_RECOVERIES || !canBeMended(task, error, place)) throw error;
  if (!place.evaluator.library.find('reparse')) throw error;

  const own = attempt(printTask(standingAlone(task, place.environment)), error);
  const within = placeOfAlternative(task, place);
  const { program, attempts, spent, warnings } = await anotherWay(task, own, error, within);
  const tried = [own, ...attempts];
  if (!program) throw error.with({ dataUsage: spent, warnings, attempts: tried });

  place.evaluator.options.onEvent?.({
    type: 'recovery',
    task: nameOf(task),
    attempt: recoveries.length + 1,
    error: error.message,
  });
  const before = addSpent(spent, error.notes.dataUsage);
  try {
    const result = await place.evaluator.run(program, { ...within, recoveries: [...recoveries, own] });
    const { notes } = result;
    const [violation] = misfits(result, task, place);
    if (violation !== undefined) throw invalidOutput(violation, { notes });
    const dataUsage = addSpent(before, notes.dataUsage);
    return { ...result, notes: { ...notes, dataUsage, attempts: [...tried, ...(notes.attempts ?? [])] } };
  } catch (failure) {
    if (!(failure instanceof TaskError)) throw failure;
    const later = failure.notes.attempts ?? [];
    // An atomic task that was itself tried another way is the first of its attempts.
    const isThere = program.type === 'atomic' && later.length > 0;
    const chain = isThere ? later : [attempt(printTask(program), failure), ...later];
    throw failure.with({ dataUsage: before, attempts: [...tried, ...chain] });
  }
}

/** A task that is not reparsed is so with all that is in it. */
export const withoutRecovery =
  (act: Act): Act =>
  (task, place) =>
    act(task, { ...place, recoveries: undefined });

/**
 * Counts a session that begins at `place`. Throws TASK_FAILURE `too_many_sessions` when what is done in the place of
 * a task that failed has had all that it may have.
 */
export function countSession(task: AtomicTask, { sessions }: TaskPlace): void {
  if (!sessions) return;
  if (sessions.begun >= MOST_SESSIONS)
    throw new TaskError(
      { code: 'TASK_FAILURE', reason: 'too_many_sessions' },
      `${nameOf(task)} was not begun: what was tried in the place of a failed task has had ${MOST_SESSIONS} sessions, and may have no more`,
    );
  sessions.begun += 1;
}

/** The place of an alternative: it is given no more context than the task that failed was. */
function placeOfAlternative(task: AtomicTask, place: TaskPlace): TaskPlace {
  const { library } = place.evaluator;
  const inherit = task.context.inherit ?? place.inherit;
  const isCleared = task.context.clear || library.subtypes[task.subtype]?.clearContext === true;
  return {
    ...place,
    inherit,
    key: `${place.key}/recovery-${(place.recoveries ?? []).length + 1}`,
    context: isCleared || inherit === 'none' ? noContext : place.context,
    earlier: isCleared ? undefined : place.earlier,
    sessions: place.sessions ?? { begun: 0 },
  };
}

/** The violations by which the result of an alternative is none of `task`: parts of it were checked as their own task's. */
function misfits(
  { status, outputs }: TaskResult,
  task: AtomicTask,
  { evaluator: { library } }: TaskPlace,
): string[] {
  const name = nameOf(task);
  if (status === 'FAILED') return [];
  if (status === 'CONTINUATION' && library.subtypes[task.subtype]?.continuation === false)
    return [
      `what was done in the place of ${name} ended as CONTINUATION, which the result of subtype ${task.subtype} cannot be`,
    ];
  return task.outputs
    .filter(output => !Object.hasOwn(outputs, output.name))
    .map(
      output =>
        `what was done in the place of ${name} ended without output "${output.name}", which it declares`,
    );
}

function canBeMended(
  { subtype }: AtomicTask,
  { detail }: TaskError,
  { signal, ledger, evaluator: { library } }: TaskPlace,
): boolean {
  if (library.subtypes[subtype]?.own || signal.aborted || usedUp(ledger)) return false;
  const { code } = detail;
  if (code === 'TASK_FAILURE') return detail.reason === 'no_progress';
  // Once the money has run out, nothing else can be paid either.
  return code === 'INVALID_OUTPUT' || (code === 'RESOURCE_EXHAUSTION' && detail.resource !== 'budget');
}

function attempt(program: string, { code, message }: Pick<TaskError, 'code' | 'message'>): FailedTry {
  const kept = program.length > MOST_KEPT ? `${program.slice(0, MOST_KEPT)}\n[cut off]` : program;
  return { program: kept, error: { code, message: message.slice(0, 2_000) } };
}

interface Way {
  /** Undefined: none was found. */
  program: Task | undefined;
  /** Answers that could not be used. */
  attempts: FailedTry[];
  spent: Spent;
  warnings: string[];
}

async function anotherWay(
  task: AtomicTask,
  own: FailedTry,
  error: TaskError,
  place: TaskPlace,
): Promise<Way> {
  const ask = askAt(place);
  const attempts: FailedTry[] = [];
  let spent = nothingSpent;
  let problems = '';
  const none = (why: string): Way => ({
    program: undefined,
    attempts,
    spent,
    warnings: [`${nameOf(task)} was not tried in another way: ${why.slice(0, MOST_WORDS)}`],
  });
  for (let n = 1; n <= MOST_ANSWERS; n++) {
    const failed = failedTask(task, own, error, [...(place.recoveries ?? []), ...attempts], place);
    let answer: TaskResult;
    try {
      answer = await ask('reparse', { failed_task: failed, problems }, `reparse-${n}`);
    } catch (cause) {
      // A reparse task that fails leaves the caller with the failure it had.
      if (!(cause instanceof TaskError)) throw cause;
      spent = addSpent(spent, cause.notes.dataUsage);
      return none(messageOf(cause));
    }
    spent = addSpent(spent, answer.notes.dataUsage);
    if (answer.status === 'FAILED') return none(answer.content);
    const found = readAlternative(answer.content, task, place);
    if ('program' in found) return { program: found.program, attempts, spent, warnings: [] };
    problems = found.problems;
    attempts.push(attempt(found.source, { code: 'VALIDATION_ERROR', message: problems }));
  }
  return none(`no answer of the reparse task could be used: ${problems.split('\n', 1)[0]}`);
}

/** The failure as the reparse task is told it. Values show only their beginning: they may be what filled the window. */
function failedTask(
  task: AtomicTask,
  { program }: FailedTry,
  { code, message, detail }: TaskError,
  attempts: readonly FailedTry[],
  { environment }: TaskPlace,
): Json {
  const inputs = standingAlone(task, environment).inputs.map(({ name }) => {
    const { text } = environment.find(name);
    return { name, characters: text.length, begins: text.slice(0, 300) };
  });
  return JSON.parse(JSON.stringify({ program, inputs, error: { code, message, detail }, attempts }));
}

/** `task` with the names that it reads as its parameters: the bindings of `environment`, its own inputs among them. */
function standingAlone(task: AtomicTask, environment: Environment): AtomicTask {
  const read = textsOf(task).flatMap(each => placeholders(each).map(({ name }) => name));
  const source = task.inputSource ? [task.inputSource.name] : [];
  const bound = (path: string) => longestBound(path, name => environment.get(name))?.name ?? [];
  const names = new Set([...read, ...source].flatMap(bound));
  for (const name of settingNames) names.delete(name);
  const inputs = [...names].map(
    (name): Input => ({ name, at: task.at, value: { kind: 'parameter' }, stdin: false }),
  );
  return { ...task, inputs };
}
