// Evaluates a script task: its command through the surroundings, its inputs as environment and standard input.
import { placeOf } from '../language/problem.ts';
import type { ScriptTask } from '../language/ast.ts';
import { type Bound, boundValue, type Environment } from '../language/environment.ts';
import type { Library } from '../language/library.ts';
import type { ranNames } from '../language/names.ts';
import {
  invalidAt,
  invalidInput,
  nothingSpent,
  type ScriptOutcome,
  TaskError,
  type TaskResult,
  type Times,
} from '../language/result.ts';
import { substitute } from '../language/substitute.ts';
import { estimateTokens, LOG_TOKENS, trimLog } from '../language/trim.ts';
import { boundFunction } from './inputs.ts';
import { type Followers, nameOf, type TaskPlace } from './task-place.ts';
import { reachable } from './rights.ts';

/**
 * The script's result: stdout as the content, the outcome in the notes. Where an evaluator follows, a non-zero exit is
 * information for it, and a command that is empty once the settings are in it is not run (the notes then have no
 * outcome). Otherwise the first is a TASK_FAILURE `script_failed`, the second INVALID_INPUT.
 */
export async function runScript(
  task: ScriptTask,
  { environment, key, signal, followers, evaluator: { options, settings, library } }: TaskPlace,
): Promise<TaskResult> {
  const name = nameOf(task);
  const command = substitute(task.command, settings).trim();
  if (command === '') {
    if (isJudged(followers, library))
      return result({ exit_code: 0, stdout: '', stderr: '', timed_out: false }, false);
    throw invalidInput(
      `the command of the script ${name} is empty (${placeOf(task.command.at)}): set what it is made of`,
    );
  }
  const { env, stdin } = surroundings(task, environment);
  const { script, step } = options;
  if (!script) throw invalidAt(task.at, `the script ${name} may not run: commands are not allowed here`);
  const perform = async () => {
    const started = options.clock.now();
    const outcome = await script({ command, env, ...(stdin !== undefined && { stdin }), signal });
    // The exit of a command that was stopped says nothing of it, and is not journalled.
    signal.throwIfAborted();
    return { ...outcome, times: { started, ended: options.clock.now() } };
  };
  // An older journal does not have its times.
  const done: Performed = await (step ? step(key, perform, { costly: true }) : perform());
  const { times, ...outcome } = done;
  options.onEvent?.({ type: 'script_output', task: name, ...shownToModel(outcome) });
  if (outcome.exit_code !== 0 && !isJudged(followers, library)) {
    const { stderr, timed_out, end } = shownToModel(outcome);
    const plain = timed_out ? 'was stopped at its time limit' : `exited ${outcome.exit_code}`;
    throw new TaskError(
      { code: 'TASK_FAILURE', reason: 'script_failed' },
      `the script ${name} ${end === undefined ? plain : `failed (${end})`}: ${stderr.slice(-2000)}`,
      { notes: { script: outcome, ...(times && { times }) } },
    );
  }
  return result(outcome, true, times, name);
}

/**
 * The one rule for what judges a script: any evaluator that may be evaluated after it, in the steps after it, in those
 * after the task that it is in, and so on outward; directly, within another task, or in a function that is called.
 */
function isJudged(followers: Followers | undefined, library: Library): boolean {
  for (let at = followers; at; at = at.around) if (at.readsExit || holdEvaluator(at, library)) return true;
  return false;
}

function holdEvaluator({ tasks, from, environment }: Followers, library: Library): boolean {
  let visible = environment;
  return tasks.slice(from).some(task => {
    if (task.type !== 'function')
      return reachable(task, visible, library).some(
        each => each.type === 'atomic' && each.subtype === 'evaluator',
      );
    visible = visible.extend([[task.name, boundFunction(task, visible)]]);
    return false;
  });
}

type Performed = ScriptOutcome & { times?: Times };

function result(outcome: ScriptOutcome, ran: boolean, times?: Times, name = ''): TaskResult {
  const { stdout, stderr, exit_code } = outcome;
  const cut = `the script ${name} printed more than is kept: the middle of its output is left out`;
  return {
    status: 'COMPLETE',
    content: stdout,
    outputs: ran ? { stdout, stderr, exit_code } : { stdout, stderr, exit_code: '' },
    notes: {
      warnings: outcome.stdout_cut ? [cut] : [],
      dataUsage: times ? { ...nothingSpent, times } : nothingSpent,
      ...(ran && { script: outcome }),
    },
  };
}

function surroundings(
  task: ScriptTask,
  environment: Environment,
): { env: Record<string, string>; stdin: string | undefined } {
  const env: [string, string][] = [];
  let stdin: string | undefined;
  for (const input of task.inputs.filter(({ asked }) => !asked)) {
    const { text } = environment.find(input.name);
    if (input.stdin) stdin = text;
    else if (text.includes('\0'))
      throw invalidInput(
        `input "${input.name}" holds a NUL character, which an environment variable cannot hold: give it as stdin`,
      );
    else env.push([input.name, text]);
  }
  return { env: Object.fromEntries(env), stdin };
}

/** The outcome as a model sees it: the log's tail with the first failure, shared between stdout and stderr. */
export function shownToModel(outcome: ScriptOutcome): ScriptOutcome {
  const half = Math.floor(LOG_TOKENS / 2);
  const forStderr = Math.min(estimateTokens(outcome.stderr), half);
  const stdout = trimLog(outcome.stdout, LOG_TOKENS - forStderr);
  const stderr = trimLog(
    outcome.stderr,
    LOG_TOKENS - Math.min(estimateTokens(stdout), LOG_TOKENS - forStderr),
  );
  const end = outcome.end ?? (outcome.timed_out ? 'the command was stopped at its time limit' : undefined);
  const note = end === undefined ? '' : `\n[${end}]`;
  return { ...outcome, stdout, stderr: `${stderr}${note}` };
}

/** The printed part of that. */
export function printedBy(outcome: ScriptOutcome): string {
  const { stdout, stderr } = shownToModel(outcome);
  return [stdout, stderr].filter(text => text !== '').join('\n');
}

/** The names that a script, run or left out, binds for an evaluator. */
export function boundOutcome(outcome: ScriptOutcome | undefined): Record<(typeof ranNames)[number], Bound> {
  const shown = outcome && shownToModel(outcome);
  return {
    stdout: boundValue(shown?.stdout ?? ''),
    stderr: boundValue(shown?.stderr ?? ''),
    exit_code: boundValue(shown?.exit_code ?? ''),
    script_evidence: boundValue(shown?.evidence ?? ''),
  };
}
