// A failure as a value: what `<on_failure>` and a test that asks for it are given of a task that failed.
import type { Json } from '@echelon/ground';
import { type CondTask, type Task, tasksIn } from '../language/ast.ts';
import { boundValue } from '../language/environment.ts';
import { errorMembers, failureNames, previousOutput } from '../language/names.ts';
import { failedAs, TaskError, type TaskErrorDetail, type TaskResult, wholeText } from '../language/result.ts';
import { withCosts } from './ledger.ts';
import { type Act, nameOf } from './task-place.ts';

/** Every member that an error of any kind has, so that a handler can read each: empty where this one has none. */
function errorData({ code, detail, message }: TaskError): Json {
  const none = Object.fromEntries(errorMembers.map(name => [name, '']));
  const { at: _, ...own }: TaskErrorDetail & { at?: unknown } = detail;
  return { ...none, violations: [], ...own, code, message };
}

/** Runs the task in `<on_failure>` instead of one that failed. */
export const orInstead =
  (act: Act): Act =>
  async (task, at) => {
    let failure: TaskError;
    try {
      const result = await act(task, at);
      if (result.status !== 'FAILED') return result;
      failure = failedAs(nameOf(task), result, result.notes);
    } catch (error) {
      if (!(error instanceof TaskError) || at.signal.aborted) throw error;
      failure = error;
    }
    const told = `${nameOf(task)} failed (${failure.code}), and <on_failure> ran: ${failure.message.slice(0, 500)}`;
    const finished = (failure.partialResults ?? []).map(({ step, result }) => ({
      step,
      content: wholeText(result),
      outputs: result.outputs,
    }));
    const environment = at.environment.extend([
      [failureNames.error, { ...boundValue(errorData(failure)), lenient: true }],
      [failureNames.partial, { ...boundValue(finished), lenient: true }],
    ]);
    const given = { spent: failure.notes.dataUsage, warnings: [...failure.notes.warnings, told] };
    return await withCosts(
      given,
      at.evaluator.run(task.onFailure!, { ...at, environment, key: `${at.key}/on-failure` }),
    );
  };

/** A failed step as the result that a later test reads; of a script with its outcome. */
export function failedResult(error: TaskError): TaskResult {
  const { script } = error.notes;
  const outcome = script && { stdout: script.stdout, stderr: script.stderr, exit_code: script.exit_code };
  return {
    status: 'FAILED',
    content: script?.stdout ?? error.message,
    outputs: { ...outcome, error: errorData(error) },
    notes: error.notes,
  };
}

const asking: ReadonlySet<string> = new Set(['status', 'exit_code', 'error']);

/** True if a test in the steps after `index` reads how that step ended. Its failure is then a value for them. */
export function isAskedOf(steps: readonly Task[], index: number): boolean {
  const name = steps[index]?.name?.toLowerCase();
  const [next, ...later] = steps.slice(index + 1).filter(step => step.type !== 'function');
  if (!next) return false;
  if (condsBefore(next).some(cond => asks(cond, previousOutput))) return true;
  const all = [next, ...later].flatMap(step => [...tasksIn(step)]);
  return name !== undefined && all.some(task => task.type === 'cond' && asks(task, name));
}

/** The conds of a task in which `output` is still what was before the task. */
function condsBefore(task: Task): CondTask[] {
  switch (task.type) {
    case 'cond': {
      const inner = [...task.cases.map(each => each.task), ...(task.otherwise ? [task.otherwise] : [])];
      return [task, ...inner.flatMap(condsBefore)];
    }
    case 'let':
      return condsBefore(task.body);
    case 'sequential': {
      const first = task.steps.find(step => step.type !== 'function');
      return first ? condsBefore(first) : [];
    }
    case 'map':
      return condsBefore(task.inner);
    case 'reduce':
      return [...condsBefore(task.inner), ...condsBefore(task.reduction)];
    default:
      return [];
  }
}

const asks = ({ cases }: CondTask, wanted: string): boolean =>
  cases.some(({ reads }) =>
    reads.some(
      ({ name, path: [first] }) =>
        name.toLowerCase() === wanted && typeof first === 'string' && asking.has(first.toLowerCase()),
    ),
  );
