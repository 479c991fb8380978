// A subtask that a director asks for in the notes of a CONTINUATION: a task of the library, run as a child.
import { z } from 'zod';
import type { Json } from '@echelon/ground';
import type { Task } from '../language/ast.ts';
import { type Bound, boundValue } from '../language/environment.ts';
import {
  addSpent,
  nothingSpent,
  type Spent,
  TaskError,
  type TaskResult,
  wholeText,
} from '../language/result.ts';
import { askAt } from './ask.ts';
import { programOf } from './template-programs.ts';
import { type Candidate, candidatesIn, findMatchingTasks, LEAST_SCORE, type Match } from './match.ts';
import type { TaskPlace } from './task-place.ts';
import { preflight, beyond, reachable, rightsIn } from './rights.ts';
import { requestIn } from './requests.ts';

/** Subtasks that one director-evaluator may ask for. */
const MOST_SUBTASKS = 3;

/** Subtasks within one another: one that asks for itself has to end at some time. */
const MOST_LEVELS = 3;

/** Characters that are told of what a model wrote wrongly. */
const MOST_WORDS = 500;

const subtaskRequest = z.object({
  description: z.string().trim().min(1),
  inputs: z.record(z.string(), z.json()).default({}),
});

/** The request, or its fault. */
export type SubtaskRequest = z.infer<typeof subtaskRequest> | { problem: string };

/** The subtask that the notes of a CONTINUATION ask for; undefined: none. */
export function subtaskAsked(director: TaskResult): SubtaskRequest | undefined {
  const asked = requestIn(director, 'subtask_request');
  if (asked === undefined) return undefined;
  const { data, error } = subtaskRequest.safeParse(asked);
  return data ?? { problem: z.prettifyError(error!).slice(0, MOST_WORDS) };
}

/**
 * Runs the task of the library that fits the description, with `inputs` for its parameters; one that is missing
 * there takes the binding of its name. `count`: which subtask of the director-evaluator it is, from 1. Never a
 * function, an evaluator or a task with rights that the program does not have. Whatever goes wrong is told.
 */
export async function runSubtask(
  request: SubtaskRequest,
  count: number,
  place: TaskPlace,
): Promise<{ text: string; success: boolean; spent: Spent }> {
  const failure = (text: string, spent: Spent = nothingSpent) => ({ text, success: false, spent });
  if (count > MOST_SUBTASKS) return failure(`No more subtasks are possible: ${MOST_SUBTASKS} were run.`);
  if (place.subtasks >= MOST_LEVELS)
    return failure(`No subtask is possible here: this is a subtask within ${MOST_LEVELS} others.`);
  if ('problem' in request)
    return failure(`The subtask_request is malformed; it is {"description", "inputs"}:\n${request.problem}`);

  const { library, program } = place.evaluator;
  const { matches, spent } = await findMatchingTasks(request.description, {
    library,
    ask: askAt(place),
    among: isSubtask,
  });
  const template = matches.find(({ score }) => score >= LEAST_SCORE)?.template;
  if (!template) return failure(noSubtask(request.description, matches, place), spent);
  const task = programOf(template, library);
  const { bound, missing } = valuesFor(task, request.inputs, place);
  if (missing.length > 0)
    return failure(`The task "${template.name}" fits, but needs the inputs: ${missing.join(', ')}.`, spent);
  try {
    const tasks = reachable(task, undefined, library);
    const [refused] = beyond(rightsIn(program), tasks);
    if (refused) return failure(`The task "${template.name}" fits, but ${refused}.`, spent);
    for (const each of tasks) preflight(each, place.evaluator.options);
    const environment = place.evaluator.settings.extend(bound);
    const done = await place.evaluator.run(task, {
      ...place,
      environment,
      inherit: 'subset',
      directorInherit: 'none',
      previous: undefined,
      followers: undefined,
      heard: false,
      notesOnly: false,
      shown: [],
      subtasks: place.subtasks + 1,
    });
    const total = addSpent(spent, done.notes.dataUsage);
    if (done.status !== 'FAILED') return { text: wholeText(done), success: true, spent: total };
    return failure(`The subtask "${template.name}" ended as failed: ${wholeText(done)}`, total);
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    const words = `The subtask "${template.name}" failed (${error.code}): ${error.message}`;
    return failure(words, addSpent(spent, error.notes.dataUsage));
  }
}

function isSubtask({ program }: Candidate): boolean {
  return program.type !== 'function' && !(program.type === 'atomic' && program.subtype === 'evaluator');
}

function noSubtask(description: string, matches: readonly Match[], { evaluator }: TaskPlace): string {
  const near = matches.length > 0 ? matches : candidatesIn(evaluator.library).filter(isSubtask);
  const names = near.slice(0, 5).map(({ template }) => template.name);
  return `No task of the library fits "${description.slice(0, 200)}" (nearest: ${names.join(', ') || 'none'}).`;
}

function valuesFor(task: Task, inputs: Readonly<Record<string, Json>>, { environment }: TaskPlace) {
  const bound: [string, Bound][] = [];
  const missing: string[] = [];
  for (const { name, value } of task.inputs) {
    if (value.kind !== 'parameter') continue;
    const found = Object.hasOwn(inputs, name) ? boundValue(inputs[name]!) : environment.get(name);
    if (found) bound.push([name, found]);
    else missing.push(name);
  }
  return { bound, missing };
}
