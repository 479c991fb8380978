// `mode: task`: runs one program of the task language in the workflow's checkout. Outputs, summary, one error line.
import { getInput, setSecret, warning } from '@actions/core';
import { masker, maskValue, messageOf } from '@echelon/ground';
import { gitCredentials } from '@echelon/ground/workspace';
import { fencedOff, TaskError, type TaskResult } from '../../engine/texts.ts';
import {
  addSummary,
  cutForOutput,
  fitsOutput,
  sayProblem,
  setOutputs,
  withoutCommands,
} from './workflow-commands.ts';
import { inputNames, planTask, type StepInputs, type TaskPlan } from './task-plan.ts';
import { interruption } from '../interrupt.ts';
import { openMemory } from '../../engine/engine.ts';
import { readSettings, type Settings } from '../settings.ts';
import { openSetupModel, openSetupRuntime } from '../task-setup.ts';
import { failureText, oneLine, progressLine } from '../progress.ts';

/** Characters of a result that the summary shows; a summary holds 1 MB. */
const SHOWN = 60_000;

/** Characters of a result that the error line holds. */
const SAID = 2000;

/** Shorter values are not taken for secrets: they would tear ordinary text apart. */
const SHORTEST = 6;

/** Answers the exit code: 0 the program ended as COMPLETE, 1 it failed, 2 the step was written wrongly. */
export async function taskMode(env: NodeJS.ProcessEnv): Promise<number> {
  let mask = masker(secretsIn(env));
  try {
    const checkout = await gitCredentials(env['GITHUB_WORKSPACE'] || '.');
    const secrets = [...secretsIn(env), ...checkout.secrets.filter(({ length }) => length >= SHORTEST)];
    mask = masker(secrets);
    // A runner takes such a line out of its log; anything else would show it.
    if (env['GITHUB_ACTIONS'] === 'true') secrets.forEach(setSecret);
    return await step(env, mask);
  } catch (error) {
    sayProblem({ message: mask(messageOf(error)) });
    return 1;
  }
}

async function step(env: NodeJS.ProcessEnv, mask: (text: string) => string): Promise<number> {
  const settings = readSettings(env, { identity: true });
  const plan = await planTask(stepInputs(), env['GITHUB_WORKSPACE'] || '.', settings);
  if ('problems' in plan) {
    for (const problem of plan.problems) sayProblem({ ...problem, message: mask(problem.message) });
    return 2;
  }
  // Output of models and programs cannot command the runner.
  const quiet = withoutCommands();
  console.log(quiet.begin);
  let ended: TaskResult | TaskError;
  try {
    ended = await evaluated(plan, settings, line => console.log(mask(line)));
  } finally {
    console.log(quiet.end);
  }
  return await tell(ended, mask);
}

/** As they were given; lines of `inputs` keep the spaces at their ends. */
function stepInputs(): StepInputs {
  const given = inputNames.map(name => [name, getInput(name, { trimWhitespace: name !== 'inputs' })]);
  return Object.fromEntries(given) as StepInputs;
}

/** Name of a variable with a secret; with INPUT_ before it for an input of a step. */
const SECRET_NAME = /(TOKEN|KEY|SECRET|PASSWORD|PASSWD|CREDENTIALS|(^|_)PAT)$/i;

/** Values of the environment that no output may hold. */
function secretsIn(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value && value.length >= SHORTEST && SECRET_NAME.test(name) ? [value] : [],
  );
}

async function evaluated(
  plan: TaskPlan,
  settings: Settings,
  say: (line: string) => void,
): Promise<TaskResult | TaskError> {
  const { program, inputs, folder, allowScripts, library } = plan;
  const { model } = await openSetupModel(plan, 'budget');
  const runtime = openSetupRuntime(plan, model, {
    ...{ folder, allowScripts, host: settings },
    // A runner holds more than the model's key: its own tokens, and what other steps left.
    secretsPresent: true,
    memory: openMemory({ folder }, { cache: null }),
    onEvent(event) {
      const line = progressLine(event);
      if (line !== undefined) say(line);
    },
  });
  try {
    return await runtime.run(program, inputs, { library, signal: interruption() });
  } catch (error) {
    if (error instanceof TaskError) return error;
    throw error;
  } finally {
    await runtime.close();
  }
}

async function tell(ended: TaskResult | TaskError, mask: (text: string) => string): Promise<number> {
  const isError = ended instanceof TaskError;
  const status = isError ? 'FAILED' : ended.status;
  const content = isError ? '' : mask(ended.content);
  const outputs = isError ? '{}' : JSON.stringify(maskValue(ended.outputs, mask, { numbers: true }));
  if (!fitsOutput(outputs)) warning('outputs is left empty: it is longer than a job can hand on');
  setOutputs({ result: cutForOutput(content), status, outputs: fitsOutput(outputs) ? outputs : '{}' });
  const { dataUsage, warnings } = ended.notes;
  const spent = `${dataUsage.turns} model calls, $${dataUsage.cost_usd.toFixed(4)}`;
  const shown = isError ? mask(failureText(ended)) : content;
  await addSummary(`### Task: ${status}\n\n${spent}\n\n${fencedOff(shown.slice(0, SHOWN).toWellFormed())}\n`);
  for (const each of warnings) warning(mask(oneLine(each)));
  console.log(`${status} after ${spent}`);
  if (status === 'COMPLETE') return 0;
  const at =
    isError && ended.detail.code === 'VALIDATION_ERROR'
      ? { file: ended.detail.path, line: ended.detail.line, column: ended.detail.column }
      : undefined;
  // A model that gives up says why as its content.
  const message = isError
    ? shown
    : `the program ended as ${status}: ${content.slice(0, SAID).toWellFormed()}`;
  sayProblem({ message, ...(at && { at }) });
  return 1;
}
