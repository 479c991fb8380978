// `echelon task show <file|name>`: what a program consists of, before anything of it runs.
import type { Json } from '@echelon/ground';
import { formatProblem, type Task, tasksIn } from '../../../engine/texts.ts';
import type { Library } from '../../../engine/language.ts';
import { playSamples } from './play-samples.ts';
import { libraryWith } from '../../folder-library.ts';
import { MOST_CALLS, MOST_TASKS, readInputs, runnable } from '../../../engine/engine.ts';
import { interruption } from '../../interrupt.ts';
import { oneLine } from '../../progress.ts';
import { type FolderSetup, readFolder } from '../../task-setup.ts';
import { print, promptText } from '../output.ts';
import { programNamed } from './program-files.ts';
import { outlineMermaid, outlineOf, outlineText } from './program-outline.ts';
import { folderOf, libraryFolder } from '../options.ts';
import type { Command } from '../command.ts';

export const show: Command = {
  usage:
    'echelon task show <file or name> [--folder <folder>] [--mermaid | --json | --prompts] [--input name=value ...]',
  about: `Shows the structure of a program (a file or a registered task) and the names that each task reads. Nothing runs. What ref
took is shown in full, a call as the call. Dotted arrows of a flowchart lead from where a name is bound to where it is read.
--prompts prints what each session would be sent, with samples for replies, tools, commands and missing inputs.
Exit code 0: shown; 1: the program has errors; 2: wrong call, or not found.`,
  options: {
    folder: { type: 'string', value: 'folder', help: libraryFolder },
    mermaid: { type: 'boolean', help: 'print a Mermaid flowchart instead of a tree' },
    json: { type: 'boolean', help: 'print JSON instead of a tree' },
    prompts: { type: 'boolean', help: 'print what each session would be sent, with sample replies' },
    input: {
      type: 'string',
      many: true,
      value: 'name=value',
      help: 'with --prompts: an input of the program',
    },
  },
  takes: { missing: 'name the program: a file, or a registered task' },
  async run(given) {
    const { values, problems } = given;
    const [what = ''] = given.positionals;
    const forms = ['json', 'mermaid', 'prompts'].filter(name => values[name]);
    if (forms.length > 1) problems.push(`--${forms[1]} goes without --${forms[0]}`);
    const { inputs, problems: wrongInputs } = readInputs(given.lists['input'] ?? []);
    problems.push(...wrongInputs);
    if (Object.keys(inputs).length > 0 && !values['prompts'])
      problems.push('--input goes with --prompts only');
    const folder = folderOf(given, problems);
    if (problems.length > 0 || folder === undefined) return { problems };
    const { library: around } = libraryWith([], folder);
    const found = programNamed(what, around);
    if ('problems' in found) {
      if (!found.refused) return found;
      if (values['json']) await print(JSON.stringify({ problems: found.problems }));
      else console.error(found.problems.map(oneLine).join('\n'));
      return 1;
    }
    for (const warning of found.warnings) console.error(oneLine(warning));
    const outline = outlineOf(found.program, found.flows);
    if (values['mermaid']) {
      await print(outlineMermaid(outline, found.program, found.flows));
      return 0;
    }
    if (!values['prompts']) {
      const limits = { tasks: MOST_TASKS, calls: MOST_CALLS };
      if (values['json']) await print(JSON.stringify({ program: outline, limits }));
      else {
        // A run may evaluate more tasks than the program has.
        const repeats = [...tasksIn(found.program)].some(({ type }) =>
          ['map', 'reduce', 'call'].includes(type),
        );
        await print([outlineText(outline), ...(repeats ? [LIMITS] : [])].join('\n'));
      }
      return 0;
    }
    const setup = readFolder(folder);
    if (!setup.around)
      return { problems: setup.problems.map(({ message, at }) => (at ? formatProblem(at) : message)) };
    const { program, library } = runnable(found.program, found.source, around);
    const unknown = Object.keys(inputs).filter(name => !program.inputs.some(own => own.name === name));
    if (unknown.length > 0) return { problems: unknown.map(name => `the program has no input ${name}`) };
    return await prompts(program, inputs, setup.around, library);
  },
};

const LIMITS = `At most ${MOST_TASKS} tasks are evaluated in a run, and ${MOST_CALLS} calls within one another.`;

async function prompts(
  program: Task,
  inputs: Record<string, Json>,
  { models, modelRows, settings, reasoning }: FolderSetup,
  library: Library,
): Promise<number> {
  const { requests, ended } = await playSamples(program, inputs, {
    ...{ models, modelRows, settings, reasoning, library },
    signal: interruption(),
  });
  const calls = `${requests.length} model ${requests.length === 1 ? 'call' : 'calls'}`;
  const told = `With sample replies: ${calls}. A run asks more where replies ask for more.`;
  await print([...requests.map(promptText), told].join('\n\n'));
  if (ended !== undefined) console.error(oneLine(`samples do not lead to its end: ${ended}`));
  return 0;
}
