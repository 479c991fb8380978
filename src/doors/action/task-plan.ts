// Plan of `mode: task` from the step's inputs, checked together before anything runs.
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { warning } from '@actions/core';
import type { Json } from '@echelon/ground';
import { formatProblem, type Task } from '../../engine/texts.ts';
import { type Library, parseProgram, readTemplate, ToolRefusal } from '../../engine/language.ts';
import {
  decodeText,
  misfits,
  needsMore,
  placeOf,
  readInputLines,
  readRegularFile,
  runnable,
} from '../../engine/engine.ts';
import type { Annotation } from './workflow-commands.ts';
import type { Settings } from '../settings.ts';
import { readFolder, type TaskSetup } from '../task-setup.ts';
import { chooseModel, defaultBudget } from '../../engine/models.ts';

export interface TaskPlan extends TaskSetup {
  program: Task;
  inputs: Record<string, Json>;
  folder: string;
  allowScripts: boolean;
}

/** Inputs of a step in this mode, as in action.yml. */
export const inputNames = ['task', 'inputs', 'model', 'script', 'allow_scripts', 'budget'] as const;

/** Empty: not given. */
export type StepInputs = Record<(typeof inputNames)[number], string>;

/** The plan, or everything that is wrong with the step. `workspace`: the checkout. */
export async function planTask(
  given: StepInputs,
  workspace: string,
  settings: Settings,
): Promise<TaskPlan | { problems: Annotation[] }> {
  const folder = realpathSync(workspace);
  const problems: Annotation[] = [];
  const say = (...messages: string[]) => problems.push(...messages.map(message => ({ message })));

  const budget = Number(given.budget || defaultBudget);
  if (!(Number.isFinite(budget) && budget > 0))
    say(`budget: ${given.budget} is not an amount of USD above 0`);
  const scripts = given.allow_scripts || 'false';
  if (!['true', 'false'].includes(scripts)) say(`allow_scripts: ${scripts} is neither true nor false`);
  const { inputs, problems: wrong } = readInputLines(given.inputs);
  say(...wrong);
  const { script } = given;
  const choice = chooseModel(
    script ? { file: script, path: await inside(folder, script, say, 'script') } : undefined,
    settings.providers,
    'the input script',
  );
  if ('problem' in choice) say(script ? `script: ${choice.problem}` : choice.problem);
  if (script && given.model) say('script goes without model');

  const { around, problems: unread } = readFolder(folder, given.model || undefined);
  problems.push(...unread);
  if (!around) return { problems };
  const found = await programOf(given.task, folder, around.library, problems);
  if (!found) return { problems };
  const { program, library } = found;
  say(...misfits(program, inputs));
  say(
    ...needsMore(program, library, {
      scripts: scripts === 'true',
      abilities: [],
      allow: 'allow_scripts: true',
      noAsk: 'nobody answers in a workflow',
    }),
  );
  if (problems.length > 0 || 'problem' in choice) return { problems };
  return { ...around, program, library, inputs, folder, allowScripts: scripts === 'true', budget, choice };
}

/** Absolute path of a repository's path; one that leads out of it is refused. */
async function inside(
  folder: string,
  path: string,
  say: (message: string) => void,
  input: string,
): Promise<string> {
  try {
    return await placeOf(folder, path);
  } catch (error) {
    if (!(error instanceof ToolRefusal)) throw error;
    say(`${input}: ${error.message}`);
    return resolve(folder, 'nowhere');
  }
}

/** A file of the repository where there is one, else a registered task; with the library that it runs with. */
async function programOf(
  what: string,
  folder: string,
  library: Library,
  problems: Annotation[],
): Promise<{ program: Task; library: Library } | undefined> {
  if (what === '') {
    problems.push({ message: 'task: name a file of the repository, or a registered task' });
    return undefined;
  }
  let read: ReturnType<typeof parseProgram>;
  let source = { file: what, text: '' };
  try {
    const text = decodeText(what, readRegularFile(await placeOf(folder, what), what));
    source = { file: what, text };
    read = parseProgram(text, what, library, 'asked for');
  } catch (error) {
    if (!(error instanceof ToolRefusal)) throw error;
    const template = library.find(what);
    if (!template) {
      problems.push({ message: `task: ${error.message}, and no task is registered as "${what}"` });
      return undefined;
    }
    source = { file: template.file, text: template.source };
    read = readTemplate(template, library);
  }
  for (const problem of read.problems) {
    if (problem.severity === 'warning') warning(formatProblem(problem));
    else problems.push({ message: problem.message, at: problem });
  }
  return read.program && runnable(read.program, source, library);
}
