// Takes a program file into the REPL without running it: its functions are defined, its task is there for `ref`.
import { settingsFrame } from '../../../../engine/language/preceding.ts';
import { printTask } from '../../../../engine/language/print.ts';
import { formatProblem } from '../../../../engine/language/problem.ts';
import { parseProgram } from '../../../../engine/language/program.ts';
import { readNamed } from '../../../../engine/runtime/named-file.ts';
import { withFunction } from './after-program.ts';
import { type Done, type Place, refused, type Surroundings } from './carry-out.ts';
import { libraryOf, type State } from './state.ts';

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
