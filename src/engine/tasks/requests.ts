// The evaluation that a director asks for in the notes of a CONTINUATION, instead of the declared one.
import { z } from 'zod';
import { didYouMean, type Json } from '@echelon/ground';
import type { AtomicTask, DirectorEvaluatorTask, Input, ScriptTask, Task } from '../language/ast.ts';
import { ranNames, roundNames } from '../language/names.ts';
import { nothingSpent, type Spent, TaskError, type TaskResult } from '../language/result.ts';
import { askAt } from './ask.ts';
import { programOf } from './template-programs.ts';
import { type Candidate, findMatchingTasks, LEAST_SCORE } from './match.ts';
import type { TaskPlace } from './task-place.ts';
import { preflight, beyond, reachable, rightsIn } from './rights.ts';

const evaluationRequest = z.object({
  type: z.union([z.string(), z.array(z.string()).transform(types => types.join(' '))]),
  criteria: z.union([z.string(), z.array(z.string()).transform(all => all.join('\n'))]).default(''),
  target: z.string().optional(),
});

/** Requests that a director can make in the notes of a CONTINUATION. */
export const requestNames = ['evaluation_request', 'subtask_request'] as const;

/** The request as the model wrote it; undefined: it makes none. */
export function requestIn(
  { status, notes }: TaskResult,
  name: (typeof requestNames)[number],
): Json | undefined {
  return status === 'CONTINUATION' ? notes.model?.[name] : undefined;
}

/** The script and the evaluator of a round. */
export interface Judges {
  scriptTask: ScriptTask | undefined;
  /** Undefined: the exit of the script decides. */
  evaluatorTask: AtomicTask | undefined;
  /** The evaluator was found for the criteria of a request. */
  isChosen: boolean;
  warnings: string[];
  spent: Spent;
}

/**
 * The script and the evaluator that the notes of a CONTINUATION ask for; what cannot be had, or would do what the
 * running program may not, is replaced by what `task` declares, with a warning. A script alone judges where no
 * evaluator is declared. Undefined: none are asked for. Throws TaskError when nothing would judge.
 */
export async function evaluationAsked(
  director: TaskResult,
  task: DirectorEvaluatorTask,
  place: TaskPlace,
): Promise<Judges | undefined> {
  const asked = requestIn(director, 'evaluation_request');
  if (asked === undefined) return undefined;
  const { data, error } = evaluationRequest.safeParse(asked);
  const warnings: string[] = [];
  const declared = (why: string): undefined => {
    warnings.push(`evaluation_request: ${why}`);
  };
  if (!data)
    declared(
      `it is not {type, criteria, target} (${short(z.prettifyError(error)).replaceAll('\n', ' ')}); ${instead}`,
    );
  const script = data && scriptFor(data, task, place, declared);
  const found = data ? await evaluatorFor(data.criteria, place, declared) : { spent: nothingSpent };
  const scriptTask = script ?? task.script;
  const { spent } = found;
  const judges = { scriptTask, warnings, spent };
  if (data && found.task)
    return { ...judges, evaluatorTask: prepared(found.task, data.criteria, scriptTask), isChosen: true };
  if (task.evaluator || (script && data.criteria.trim() === ''))
    return { ...judges, evaluatorTask: task.evaluator, isChosen: false };
  throw new TaskError(
    { code: 'TASK_FAILURE', reason: 'failed' },
    'the director asks for an evaluation that nobody gives: no evaluator of the library fits, and the program declares none',
    { notes: { dataUsage: spent, warnings } },
  );
}

const instead = 'what is declared was run';

/** A text that a model wrote, cut for a warning. */
const short = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}...` : text);

type Declared = (why: string) => undefined;

function scriptFor(
  { type, target }: z.infer<typeof evaluationRequest>,
  task: DirectorEvaluatorTask,
  { environment, evaluator: { library, options, program: running } }: TaskPlace,
  declared: Declared,
): ScriptTask | undefined {
  if (!/script/i.test(type)) return undefined;
  if (!options.script || !rightsIn(running).scripts)
    return declared(`scripts are not allowed here; ${instead}`);
  if (target === undefined) return declared(`a script needs a target: its name; ${instead}`);
  if (target === task.script?.name) return task.script;
  const template = library.find(target);
  const names = library.templates().flatMap(each => (each.type === 'script' ? [each.name] : []));
  if (template?.type !== 'script')
    return declared(
      `no script is registered as "${short(target)}"${didYouMean(short(target), names)}; ${instead}`,
    );
  const program = readable(() => programOf(template, library), declared);
  if (program?.type !== 'script') return undefined;
  const missing = parameters(program).filter(name => !isOf(roundNames, name) && !environment.get(name));
  if (missing.length === 0) return program;
  return declared(`nothing binds ${missing.join(', ')} for the script "${short(target)}"; ${instead}`);
}

/** The best fitting evaluator of the library whose parameters a round can fill. */
async function evaluatorFor(
  criteria: string,
  place: TaskPlace,
  declared: Declared,
): Promise<{ task?: AtomicTask; spent: Spent }> {
  const { library, options, program: running } = place.evaluator;
  if (criteria.trim() === '') return { spent: nothingSpent };
  const canJudge = ({ program }: Candidate) =>
    program.type === 'atomic' &&
    program.subtype === 'evaluator' &&
    parameters(program).every(
      name => isOf(evaluationNames, name) || place.environment.get(name) !== undefined,
    );
  const { matches, spent } = await findMatchingTasks(
    criteria,
    { library, ask: askAt(place), among: canJudge },
    1,
  );
  const [best] = matches.filter(({ score }) => score >= LEAST_SCORE);
  if (!best) {
    declared(`no evaluator of the library fits "${short(criteria)}"`);
    return { spent };
  }
  const task = readable(() => {
    const program = programOf(best.template, library);
    preflight(program, options);
    const [refused] = beyond(rightsIn(running), reachable(program, undefined, library));
    return refused === undefined ? program : declared(`${refused}; ${instead}`);
  }, declared);
  return task?.type === 'atomic' ? { task, spent } : { spent };
}

function readable<T>(read: () => T, declared: Declared): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    return declared(`${error.message}; ${instead}`);
  }
}

/** Names that a round binds for an evaluation template. */
const evaluationNames = [...roundNames, ...ranNames, 'criteria'];

const isOf = (names: readonly string[], name: string) => names.includes(name);

const parameters = (task: Task): string[] =>
  task.inputs.flatMap(({ name, value }) => (value.kind === 'parameter' ? [name] : []));

/** The template with a value for each parameter that the round itself does not bind. */
function prepared(task: AtomicTask, criteria: string, script: ScriptTask | undefined): AtomicTask {
  const fill = (input: Input): Input => {
    const { name, at, value } = input;
    const text = name === 'criteria' ? criteria : '';
    const isOpen = name === 'criteria' || (!script && isOf(ranNames, name));
    if (value.kind !== 'parameter' || !isOpen) return input;
    return { ...input, value: { kind: 'text', text: { parts: text === '' ? [] : [text], at } } };
  };
  return { ...task, inputs: task.inputs.map(fill) };
}
