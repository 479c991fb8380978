// Carries out one step: whether it runs at all, its variables and limits, what it told the runner, how it ended.
import { deadline, messageOf } from '@echelon/ground';
import { ArtifactRefused } from './artifact-store.ts';
import { environmentOf } from './environment.ts';
import { evaluateTemplate, holds, render } from '../actions/expressions.ts';
import { newCommandFiles, readCommandFiles } from './file-commands.ts';
import { type JobState, scopeOf, statusOf } from './job-state.ts';
import { commandReader } from './log-commands.ts';
import type { Conclusion, Place } from '../actions/planned-job.ts';
import { runProcess } from './process.ts';

/** A step that failed with a sentence for its log. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed';
}

/** Input of a step's work. */
export interface StepRun {
  readonly state: JobState;
  /** `with`, evaluated; names in lower case. */
  readonly inputs: Record<string, string>;
  readonly signal: AbortSignal;
  /** Evaluates a text in what the step sees. */
  render(template: string): string;
  /** Writes a line of the log that is no command. */
  write(line: string): void;
  warn(message: string): void;
  setOutput(name: string, value: string): void;
  /** Values that the step keeps for a later part of its action. */
  readonly saved: Record<string, string>;
  /** Runs a program with the step's environment, these added; gives its exit code. Its output is the step's, or `onLine`'s. */
  run(
    argv: [program: string, ...rest: string[]],
    folder: string,
    more?: { env?: Record<string, string>; onLine?: (line: string) => void },
  ): Promise<number>;
}

/** One thing that a job does: a step as written, or what an action does before or after. */
export interface Step {
  /** Template. */
  name: string;
  /** Of the context `steps`; undefined for what nobody can name. */
  id?: string;
  condition: string | undefined;
  /** Templates. */
  env: Record<string, string>;
  with: Record<string, string>;
  continueOnError?: string;
  timeoutMinutes?: string;
  /** Additions to the context `github`. */
  github: Record<string, string>;
  /** Values that an action saved for its later parts; they share it. */
  saved: Record<string, string>;
  at: Place;
  work: (step: StepRun) => Promise<void>;
}

/** Runs it or leaves it out. `over` ends it whatever its condition says. Throws nothing. */
export async function runStep(
  state: JobState,
  step: Step,
  cancel: AbortSignal,
  over: AbortSignal,
): Promise<Conclusion> {
  const { outputs, outcome, conclusion } = await attempt(state, step, cancel, over);
  if (step.id !== undefined) state.steps[step.id] = { outputs, outcome, conclusion };
  if (conclusion === 'failure' && state.status === 'success') state.status = 'failure';
  return conclusion;
}

async function attempt(state: JobState, step: Step, cancel: AbortSignal, over: AbortSignal) {
  const outputs: Record<string, string> = {};
  const ended = (outcome: Conclusion, conclusion = outcome) => ({ outputs, outcome, conclusion });
  let tolerated = false;
  try {
    const env = renderAll(step.env, template => render(template, scopeOf(state, {}, step.github)));
    const scope = () => scopeOf(state, env, step.github);
    const wanted = () => holds(step.condition, { ...scope(), status: statusOf(state) });
    if (!wanted()) return ended('skipped');
    tolerated = evaluated(step.continueOnError, scope()) === true;
    const minutes = Number(evaluated(step.timeoutMinutes, scope()) ?? 0);
    const stop = new AbortController();
    // A step with always() goes on when the job is cancelled.
    const cancelled = () => void (wanted() || stop.abort(cancel.reason));
    cancel.addEventListener('abort', cancelled, { once: true });
    const outer = AbortSignal.any([stop.signal, over]);
    const limit = minutes > 0 ? deadline(minutes * 60_000, state.host.clock, outer) : undefined;
    try {
      await carryOut(state, step, { env, outputs, signal: limit?.signal ?? outer });
      return ended('success');
    } catch (error) {
      if (!limit?.expired() && outer.aborted) {
        say(state, 'error', 'The operation was canceled.');
        return ended('cancelled');
      }
      if (limit?.expired())
        throw new StepFailed(`The action '${step.name}' has timed out after ${minutes} minutes.`, {
          cause: error,
        });
      throw error;
    } finally {
      limit?.end();
      cancel.removeEventListener('abort', cancelled);
    }
  } catch (error) {
    const { file, line } = step.at;
    const isTold = error instanceof StepFailed || error instanceof ArtifactRefused;
    say(state, 'error', isTold ? error.message : `${file}:${line}: ${messageOf(error)}`);
    return ended('failure', tolerated ? 'success' : 'failure');
  }
}

const evaluated = (template: string | undefined, scope: Parameters<typeof evaluateTemplate>[1]) => {
  if (template === undefined) return undefined;
  const value = evaluateTemplate(template, scope);
  return value === 'true' ? true : value;
};

const renderAll = (templates: Record<string, string>, one: (template: string) => string) =>
  Object.fromEntries(Object.entries(templates).map(([name, template]) => [name, one(template)]));

/** Runs the work with its files and commands, and takes over what it told. Throws where it failed. */
async function carryOut(
  state: JobState,
  step: Step,
  {
    env,
    outputs,
    signal,
  }: { env: Record<string, string>; outputs: Record<string, string>; signal: AbortSignal },
): Promise<void> {
  const { record, secrets, clock, closing, environment: machine } = state.host;
  const scope = scopeOf(state, env, step.github);
  const files = await newCommandFiles(state.folders.commands);
  const faults: string[] = [];
  const reader = commandReader({
    write: line => record.write(line),
    addMask: value => secrets.add(value),
    setOutput: (name, value) => void (outputs[name] = value),
    saveState: (name, value) => void (step.saved[name] = value),
    fail: message => faults.push(message),
  });
  const saved = Object.entries(step.saved).map(([name, value]) => [`STATE_${name}`, value]);
  const environment = { ...environmentOf(state, scope, files), ...Object.fromEntries(saved) };
  try {
    await step.work({
      state,
      inputs: renderAll(lowerCase(step.with), template => render(template, scope)),
      signal,
      render: template => render(template, scope),
      write: line => record.write(line),
      warn: message => say(state, 'warning', message),
      setOutput: (name, value) => void (outputs[name] = value),
      saved: step.saved,
      run: (argv, folder, { env: more = {}, onLine = reader } = {}) =>
        (machine.run ?? runProcess)(
          { argv, folder, env: { ...environment, ...more }, onLine, signal, kill: closing, clock },
          state.folders.programs,
        ),
    });
  } finally {
    faults.push(...(await takeOver(state, step, files, outputs)));
  }
  if (faults.length > 0) throw new StepFailed(faults.join('\n'));
}

const lowerCase = (inputs: Record<string, string>) =>
  Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name.toLowerCase(), value]));

/** Reads the step's files; returns their faults. */
async function takeOver(
  state: JobState,
  step: Step,
  files: Record<string, string>,
  outputs: Record<string, string>,
): Promise<string[]> {
  const told = readCommandFiles(files);
  for (const [name, value] of told.output) outputs[name] = value;
  for (const [name, value] of told.state) step.saved[name] = value;
  for (const [name, value] of told.env)
    if (name.toUpperCase() === 'NODE_OPTIONS')
      say(state, 'error', `Can't store ${name} output parameter using '$GITHUB_ENV' command.`);
    else state.env[name] = value;
  for (const path of told.path) {
    const known = state.path.indexOf(path);
    if (known >= 0) state.path.splice(known, 1);
    state.path.unshift(path);
  }
  if (told.summary !== '') state.host.record.summarize(told.summary);
  for (const complaint of told.complaints) say(state, 'error', complaint);
  return told.faults;
}

/** A line of the log that stands out. */
export const say = ({ host }: JobState, level: 'error' | 'warning', message: string): void =>
  host.record.write(`##[${level}]${message}`);
