// Saves entries as one program: its steps in order, within bindings of everything else that they read.
import { escapeMarkup } from '@echelon/ground';
import { formatProblem, type Input, readNamed, tasksIn } from '../../../../engine/texts.ts';
import type { Library, Surface } from '../../../../engine/language.ts';
import { formatProgram, parseProgram, printTask, surfaceOf } from '../../../../engine/language.ts';
import { isSetting, settingsFrame } from '../../../../engine/engine.ts';
import type { Entered, Logged, State } from './state.ts';
import { lastName, libraryOf, loggedAs, namesOf, withFunction } from './state.ts';
import { type Done, type Place, refused, type Surroundings } from './carry-out.ts';

/** The source of a program that checks without errors; else what keeps it from being one. `file`: where it will stand. */
export function programOf(
  state: State,
  file: string,
  library: Library,
  name?: string,
): { text: string } | { problems: string[] } {
  const composed = name === undefined ? whole(state, file) : alone(state, name);
  if ('problems' in composed) return composed;
  const formatted = formatProgram(composed.text, file, surfaceOf('', file));
  const { problems } = parseProgram(formatted.text ?? composed.text, file, library, 'asked for');
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (formatted.text === undefined || errors.length > 0) return { problems: errors.map(formatProblem) };
  return { text: formatted.text };
}

/** The program of one name. */
function alone(state: State, name: string): { text: string } | { problems: string[] } {
  const logged = loggedAs(state, name);
  if (logged && 'program' in logged) return { text: sourceOf(logged, state, logged.program.name) };
  const is = logged ? 'a value: only what was defined or run can be saved' : 'not bound';
  return { problems: [`"${name}" is ${is}`] };
}

function whole(state: State, file: string): { text: string } | { problems: string[] } {
  const { log } = state;
  const steps = log.filter(logged => 'program' in logged);
  const [only, ...more] = steps;
  if (!only) return { problems: ['nothing was defined or run yet'] };
  if (more.length === 0) return { text: sourceOf(only, state, only.program.name) };
  if (!steps.some(({ kind }) => kind === 'task'))
    return { problems: ['only functions are defined: save each by its name, as in :save file.xml name'] };
  const isParameter = (logged: Logged): boolean =>
    logged.kind === 'given' || (logged.kind === 'value' && boundBy(logged) === undefined);
  const parameters = new Set(
    log.flatMap((logged, at) =>
      isParameter(logged) ? namesOf(logged).filter(each => isRead(log, at, each)) : [],
    ),
  );
  const twice = [...parameters].filter(
    each => log.filter(logged => namesOf(logged).includes(each)).length > 1,
  );
  if (twice.length > 0)
    return {
      problems: twice.map(
        each =>
          `"${each}" was bound more than once, to a value that no program can work out: give one another name`,
      ),
    };
  const inputs = [...parameters].map(each => `<input name="${each}"/>`).join('');
  const stem = /([\w-]+)\.\w+$/.exec(file)?.[1];
  const name = stem === undefined || isSetting(stem) ? '' : ` name="${stem}"`;
  return {
    text: `<task type="sequential"${name}>${inputs && `<inputs>${inputs}</inputs>`}<steps>${stepsFrom(0, new Set(), state)}</steps></task>`,
  };
}

/**
 * The entries from `at` on as steps. A name that is bound a second time, or to what is no step, begins a task of its own
 * for all that comes after it. `taken`: the names of the steps before.
 */
function stepsFrom(at: number, taken: Set<string>, state: State): string {
  const { log } = state;
  const logged = log[at];
  if (!logged) return '';
  if (!('program' in logged)) {
    const bind = boundBy(logged);
    if (bind === undefined || !isRead(log, at, namesOf(logged)[0] ?? ''))
      return stepsFrom(at + 1, taken, state);
    return within(bind, stepsFrom(at + 1, new Set(), state));
  }
  const isItRead = logged.kind === 'task' && isRead(log, at, lastName);
  const name = logged.program.name ?? (isItRead ? lastName : undefined);
  const names = [...logged.names, ...(name === undefined ? [] : [name])];
  if (names.some(each => taken.has(each))) return sequence(stepsFrom(at, new Set(), state));
  for (const each of names) taken.add(each);
  const step = sourceOf(logged, state, name, true);
  if (!isItRead || name === lastName) return step + stepsFrom(at + 1, taken, state);
  return step + within(`<bind name="${lastName}" from="${name}"/>`, stepsFrom(at + 1, new Set(), state));
}

const sequence = (steps: string): string =>
  steps === '' ? '' : `<task type="sequential"><steps>${steps}</steps></task>`;

const within = (bind: string, steps: string): string =>
  steps === '' ? '' : `<task type="let">${bind}<body>${sequence(steps)}</body></task>`;

/** The element by which a program binds the value itself; undefined if its caller must give it. */
function boundBy(logged: Exclude<Logged, Entered>): string | undefined {
  if (logged.kind === 'given') return undefined;
  const { name, path, value } = logged;
  if (path !== undefined) return `<bind name="${name}" from="${path}"/>`;
  // Blanks at its ends and line ends are layout in a program, and braces could be a placeholder.
  const isPlain = typeof value === 'string' && value === value.trim() && !/[\p{Cc}{]/u.test(value);
  return isPlain ? `<bind name="${name}">${escapeMarkup(value)}</bind>` : undefined;
}

/** True if a later entry reads the name that the entry `at` binds. */
function isRead(log: readonly Logged[], at: number, name: string): boolean {
  for (const later of log.slice(at + 1)) {
    if ('reads' in later && later.reads.includes(name)) return true;
    const hides = namesOf(later).includes(name) || (name === lastName && later.kind === 'task');
    if (hides) return false;
  }
  return false;
}

/** As it was entered, as XML in canonical form. `isStep`: what its caller gives it is bound before it. */
function sourceOf(entered: Entered, { loaded }: State, name: string | undefined, isStep = false): string {
  const { program, to } = entered;
  // The task includes templates taken by `ref` in full: who runs the program may not have their file.
  const takesLoaded = [...tasksIn(program)].some(({ template }) => template && loaded.has(template.name));
  if (program.type === 'function') return takesLoaded ? printTask(program) : canonical(entered, 'xml');
  const declares = isStep && program.inputs.some(({ value, asked }) => value.kind === 'parameter' && !asked);
  const isNamedHere = name !== undefined && (to !== undefined || program.name === undefined);
  if (!takesLoaded && !declares && !isNamedHere) return canonical(entered, 'xml');
  const given = (input: Input): Input =>
    isStep && input.value.kind === 'parameter'
      ? { ...input, value: { kind: 'binding', from: { name: input.name, at: input.at } } }
      : input;
  return printTask({ ...program, name, inputs: program.inputs.map(given) });
}

/** In the surface that it was entered in, or another. It was read, so it is well-formed. */
export const canonical = ({ source, program }: Entered, surface?: Surface): string =>
  formatProgram(source, '', surface).text ?? printTask(program);

// Takes a program file into the REPL without running it: its functions are defined, its task is there for `ref`.

export function load(
  file: string,
  { state }: Pick<Place, 'state'>,
  { library, settings, tell }: Surroundings,
): Done {
  const read = readNamed(file);
  if ('problem' in read) return refused(state, [`${file}: ${read.problem}`]);
  const { text } = read;
  const known = libraryOf(state, library);
  const { program, problems } = parseProgram(text, file, known, 'asked for', state.preceding);
  if (!program) return refused(state, problems);
  const functions = program.type === 'sequential' ? program.steps : [program];
  const frame = settingsFrame(settings);
  const defined: string[] = [];
  let loaded: State = state;
  for (const step of functions) {
    if (step.type !== 'function') continue;
    const source = step === program ? text : printTask(step);
    // By itself, so that a function that reads a step of its program is refused: that step is not run.
    const alone = parseProgram(source, file, libraryOf(loaded, library), 'refused', loaded.preceding);
    if (alone.program?.type !== 'function') return refused(state, alone.problems);
    const made = alone.program;
    const about = { program: made, source, to: undefined, names: [made.name], reads: alone.reads };
    const preceding = withFunction(loaded.preceding, made, frame);
    loaded = { ...loaded, preceding, log: [...loaded.log, { kind: 'function', ...about }] };
    defined.push(made.name);
  }
  const { name } = program;
  const isTask = program.type !== 'function' && name !== undefined;
  if (isTask) loaded = { ...loaded, loaded: new Map([...loaded.loaded, [name, { file, text }]]) };
  if (!isTask && defined.length === 0)
    return refused(state, [`${file}: holds no function, and its task has no name for ref to take`]);
  const told = [
    ...defined.map(each => `${each} is defined`),
    ...(isTask ? [`<task ref="${name}"> takes the task of ${file}`] : []),
  ].join('\n');
  const warnings = problems.map(formatProblem);
  for (const warning of warnings) tell(warning);
  const data = { defined, registered: isTask ? name : null };
  return { outcome: { kind: 'told', text: told, data, warnings }, state: loaded };
}
