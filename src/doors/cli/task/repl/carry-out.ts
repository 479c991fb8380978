// Carries out an entry that is a program or an expression: checked first, then defined, run or worked out, and bound.
import type { Json } from '@echelon/ground';
import type { Runtime } from '../../../../engine/engine.ts';
import {
  environmentOf,
  ExpressionError,
  expressionValue,
  isSetting,
  misfits,
  needsMore,
  preflight,
  previousOutput,
  readable,
  readExpression,
  settingsFrame,
  withValue,
} from '../../../../engine/engine.ts';
import { formatProblem, type Problem, type Task } from '../../../../engine/texts.ts';
import { type Library, parseProgram } from '../../../../engine/language.ts';
import { afterTask, withFunction, lastName, libraryOf, type State } from './state.ts';
import type { AskOnTerminal } from '../../ask-terminal.ts';
import type { Outcome } from './outcome.ts';

export interface Surroundings {
  /** Preceding what is loaded. */
  library: Library;
  /** Settings of the run, by name. */
  settings: Readonly<Record<string, string>>;
  runtime: Pick<Runtime, 'run' | 'options'>;
  allowScripts: boolean;
  /** Asks the person; undefined: nobody is there. */
  ask: AskOnTerminal | undefined;
  /** Takes what is told before anything runs. */
  tell(line: string): void;
  /** Takes what an entry failed of, for people who look closely. */
  failed(error: unknown): void;
}

/** Context in which an entry runs. */
export interface Place {
  state: State;
  /** Name of the entry in positions and in requests of its sessions: `entry 3`. */
  file: string;
  signal: AbortSignal;
}

/** Result of an entry, and the state after it. */
export interface Done {
  outcome: Outcome;
  state: State;
}

interface Given {
  source: string;
  to: string | undefined;
}

/** Throws TaskError and what `Runtime.run` does; nothing is bound then. */
export async function enterProgram(
  { source, to }: Given,
  place: Place,
  { ask, tell, ...surroundings }: Surroundings,
): Promise<Done> {
  const { state, file, signal } = place;
  const library = libraryOf(state, surroundings.library);
  const read = parseProgram(source, file, library, 'asked for', state.preceding);
  if (!read.program) return refused(state, read.problems);
  const wrong = namedWrongly(read.program, to);
  if (wrong !== undefined) return refused(state, [`${file}:1:1 ${wrong}`]);
  const program = to === undefined ? read.program : { ...read.program, name: to };
  const settings = settingsFrame(surroundings.settings);
  const lacks = needsMore(program, library, {
    scripts: surroundings.allowScripts,
    abilities: ask ? ['ask'] : [],
    allow: '--allow-scripts',
    noAsk: 'it needs a terminal to ask on',
    environment: environmentOf(state.preceding, settings),
  });
  const missing = ask ? [] : misfits(program, boundInputs(program, state));
  if (lacks.length + missing.length > 0) return refused(state, [...lacks, ...missing]);
  const warnings = read.problems.map(formatProblem);
  for (const warning of warnings) tell(warning);
  const logged = { program, source, to, reads: read.reads };

  if (program.type === 'function') {
    preflight(program, await surroundings.runtime.options({ library, signal }));
    const { name } = program;
    const preceding = withFunction(state.preceding, program, settings);
    const log = [...state.log, { kind: 'function' as const, names: [name], ...logged }];
    return { outcome: { kind: 'defined', name, warnings }, state: { ...state, preceding, log } };
  }
  const filled = ask ? await withAnswers(program, place, ask) : state;
  const { preceding } = filled;
  const key = file.replace(' ', '-');
  const result = await surroundings.runtime.run(program, {}, { library, signal, preceding, key });
  const names = namesOf(program);
  const outcome: Outcome = { kind: 'result', names, result, warnings };
  if (result.status === 'FAILED') return { outcome, state: filled };
  return {
    outcome,
    state: {
      ...filled,
      preceding: afterTask(preceding, program, result, [lastName, ...names]),
      log: [...filled.log, { kind: 'task', names, ...logged }],
    },
  };
}

export function enterExpression(
  { source, to }: Given,
  { state, file }: Place,
  { settings, tell }: Surroundings,
): Done {
  const { expression, reads, problems } = readExpression(source, file, state.preceding);
  if (!expression) return refused(state, problems);
  if (to !== undefined && !canBeBound(to))
    return refused(state, [`${file}:1:1 "${to}" is a name of the language or of the run; choose another`]);
  let value: Json;
  try {
    value = expressionValue(expression, {
      environment: environmentOf(state.preceding, settingsFrame(settings)),
      previous: state.preceding.previous?.result,
    });
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return refused(state, [`${file}:1:1 this cannot be worked out: ${error.message}`]);
  }
  const warnings = problems.map(formatProblem);
  for (const warning of warnings) tell(warning);
  const outcome: Outcome = { kind: 'value', name: to, value, warnings };
  if (to === undefined) return { outcome, state };
  const path = source.trim();
  const isPath = readable.test(path) && reads.includes(path.split(/[.[]/, 1)[0] ?? '');
  const log = [
    ...state.log,
    { kind: 'value' as const, name: to, value, path: isPath ? path : undefined, reads },
  ];
  return { outcome, state: { ...state, preceding: withValue(state.preceding, to, value), log } };
}

/** A name that somebody gave a value from outside. */
export const withGiven = (state: State, name: string, value: Json): State => ({
  ...state,
  preceding: withValue(state.preceding, name, value),
  log: [...state.log, { kind: 'given', name, value }],
});

export const refused = (state: State, problems: readonly (Problem | string)[]): Done => ({
  outcome: { kind: 'problems', problems, warnings: [] },
  state,
});

const canBeBound = (name: string): boolean => !isSetting(name) && name.toLowerCase() !== previousOutput;

/** Returns the reason that the task cannot be bound to `to`. */
function namedWrongly({ type, name }: Task, to: string | undefined): string | undefined {
  if (to === undefined) return undefined;
  if (type === 'function') return `a function is bound to its own name: leave "${to} =" out`;
  if (name !== undefined && name !== to) return `the task is named "${name}" already: leave "${to} =" out`;
  return canBeBound(to) ? undefined : `"${to}" is a name of the language or of the run; choose another`;
}

/** The names that the result of `program` is bound to. */
function namesOf(program: Task): string[] {
  const slot = program.type === 'atomic' ? program.outputSlot : undefined;
  return [program.name, slot].filter(name => name !== undefined);
}

const parametersOf = ({ inputs }: Task): string[] =>
  inputs.flatMap(({ name, value }) => (value.kind === 'parameter' ? [name] : []));

/** The parameters that are bound, by name. */
const boundInputs = (program: Task, { preceding }: State): Record<string, Json> =>
  Object.fromEntries(
    parametersOf(program)
      .filter(name => preceding.names.has(name))
      .map(name => [name, null]),
  );

/** `state` with every parameter bound that is not yet: the person is asked, one after the other. */
async function withAnswers(program: Task, { state, signal }: Place, ask: AskOnTerminal): Promise<State> {
  let filled = state;
  for (const name of parametersOf(program))
    if (!filled.preceding.names.has(name)) filled = withGiven(filled, name, await ask(`${name}?`, signal));
  return filled;
}
