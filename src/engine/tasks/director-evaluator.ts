// Evaluates a director-evaluator: rounds of director, script and evaluator until the evaluation is a success.
import { allWarnings, placeOf } from '../language/problem.ts';
import type { DirectorEvaluatorTask } from '../language/ast.ts';
import type { Bound, Environment } from '../language/environment.ts';
import { lastEvaluation } from '../language/names.ts';
import {
  addSpent,
  invalidInput,
  type Notes,
  nothingSpent,
  TaskError,
  type TaskResult,
  throwIfFailed,
  withoutTemplate,
} from '../language/result.ts';
import { substitute } from '../language/substitute.ts';
import { placeWithin } from './context.ts';
import { evaluateRound, type RoundSettings } from './director-evaluator-round.ts';
import { before, nameOf, type TaskPlace } from './task-place.ts';
import { lastRound } from './shown.ts';
import { runSubtask, subtaskAsked } from './subtask.ts';

/** Feedback on the round before: the evaluation, and the result of a subtask that the director asked for. */
interface Feedback {
  text: string;
  success: boolean;
}

type Total = Pick<Notes, 'rounds' | 'evaluation' | 'script' | 'dataUsage'>;

/**
 * The director's last result with the evaluation in its notes. Every round starts a new conversation: of the rounds
 * before, a director sees the last feedback only, so that its context does not grow.
 * Throws TaskError TASK_FAILURE `rejected` when no round within `<max_rounds>` is a success.
 */
export async function runDirectorEvaluator(
  task: DirectorEvaluatorTask,
  outer: TaskPlace,
): Promise<TaskResult> {
  const place = { ...(await placeWithin(task, outer, 'none')), heard: false, notesOnly: false };
  const rounds: RoundSettings = {
    task,
    place,
    inherit: outer.inherit === 'none' ? 'none' : 'subset',
  };
  const most = maxRounds(task, place.environment);
  let total: Total = { dataUsage: nothingSpent, rounds: 0 };
  let feedback: Feedback | undefined;
  let subtasks = 0;
  const unread: string[] = [];
  try {
    for (let n = 1; n <= most; n++) {
      place.signal.throwIfAborted();
      const director = await runDirector(n, feedback, rounds);
      total.dataUsage = addSpent(total.dataUsage, director.notes.dataUsage);
      const asked = subtaskAsked(director);
      const { evaluation, script, spent, warnings } = await evaluateRound(n, director, rounds);
      total.dataUsage = addSpent(total.dataUsage, spent);
      if (script) total.script = script;
      if (evaluation) {
        total = { ...total, rounds: n, evaluation };
        const { success, feedback: text } = evaluation;
        place.evaluator.options.onEvent?.({ type: 'round', task: nameOf(task), n, success, feedback: text });
        if (success) return accepted(director, total, asked ? [...warnings, notNeeded] : warnings);
      }
      feedback = evaluation && { success: false, text: evaluation.feedback ?? '' };
      if (!asked) continue;
      if (n === most) {
        unread.push(tooLate);
        break;
      }
      const within = { ...place, key: `${place.key}/subtask-${n}` };
      const done = await runSubtask(asked, ++subtasks, within);
      total.dataUsage = addSpent(total.dataUsage, done.spent);
      const text = `${feedback?.text}\n\nWhat came of the subtask:\n${done.text}`.trimStart();
      feedback = feedback ? { text, success: feedback.success } : done;
    }
  } catch (error) {
    throw error instanceof TaskError ? error.with(total) : error;
  }
  throw rejected(most, feedback, unread, total);
}

/** A new conversation, which knows the last feedback. What it ended with, COMPLETE or CONTINUATION. */
async function runDirector(
  n: number,
  feedback: Feedback | undefined,
  { task, place }: RoundSettings,
): Promise<TaskResult> {
  const environment = place.environment.extend([[lastEvaluation, boundFeedback(feedback)]]);
  const judges = [task.script, task.evaluator].filter(each => each !== undefined);
  const shown = feedback ? [...place.shown, lastRound(feedback)] : place.shown;
  const at = before(judges, { ...place, environment, shown, key: `${place.key}/director-${n}`, heard: true });
  const result = await place.evaluator.run(task.director, at);
  throwIfFailed(result, 'the director', { dataUsage: result.notes.dataUsage });
  return result;
}

function accepted(director: TaskResult, total: Total, more: readonly string[]): TaskResult {
  const warnings = allWarnings(director.notes.warnings, more);
  return {
    ...director,
    status: 'COMPLETE',
    notes: { ...withoutTemplate(director.notes), ...total, warnings },
  };
}

const notNeeded = 'subtask_request: it was not run: the round was a success without it';
const tooLate = 'subtask_request: it was not run: no round is left that could read its result';

function rejected(most: number, feedback: Feedback | undefined, warnings: string[], total: Total): TaskError {
  const why = [feedback?.text, ...warnings].find(text => text) ?? 'no feedback was given';
  return new TaskError(
    { code: 'TASK_FAILURE', reason: 'rejected' },
    `rejected in ${most === 1 ? 'the only round' : `all ${most} rounds`}: ${why}`,
    { notes: { ...total, warnings } },
  );
}

/** Its text is what was said; a test reads success and feedback. Empty in the first round. */
function boundFeedback(feedback: Feedback | undefined): Bound {
  if (!feedback) return { text: '', fields: { success: '', feedback: '' }, value: '' };
  const { text, success } = feedback;
  const fields = { success, feedback: text };
  return { text, fields, value: fields };
}

/** As <max_rounds> may say at most. */
const MOST_ROUNDS = 50;

/** Throws TaskError INVALID_INPUT. */
function maxRounds(
  { maxRounds: template }: Pick<DirectorEvaluatorTask, 'maxRounds'>,
  environment: Environment,
): number {
  const words = substitute(template, environment).trim();
  if (!/^[1-9]\d?$/.test(words) || Number(words) > MOST_ROUNDS)
    throw invalidInput(
      `<max_rounds> is "${words}", not a whole number from 1 to ${MOST_ROUNDS} (${placeOf(template.at)})`,
    );
  return Number(words);
}
