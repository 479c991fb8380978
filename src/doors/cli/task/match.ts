// `echelon task match "<text>"`: the registered tasks that fit a text, best first.
import { templateText } from '../../../engine/language/print.ts';
import { askApart } from '../../../engine/tasks/ask-apart.ts';
import { programOf } from '../../../engine/tasks/template-programs.ts';
import { findMatchingTasks } from '../../../engine/tasks/match.ts';
import { interruption } from '../../interrupt.ts';
import { textOf } from '../options.ts';
import { print } from '../output.ts';
import type { Settings } from '../../settings.ts';
import type { Verb } from './verb.ts';
import { folderTemplates, libraryOf } from '../../../engine/runtime/folder-library.ts';
import { oneLine } from '../../progress.ts';
import { openSetupModel, openSetupRuntime } from '../../task-setup.ts';
import { folderOf, libraryFolder } from './folder.ts';
import { modelOptions, type Setup, setUp } from './setup.ts';

/** Longest description in a line. */
const LONGEST = 100;

const withoutModel = { setup: undefined, problems: [] };

export const match: Verb = {
  usage: 'match "<text>" [options]',
  about: `Finds the registered tasks that fit a text, best first, at most five: score, name, type, description. With --script or
--model a model chooses; without, the words that they share.
Exit code 0: done, also where none fits; 1: it failed; 2: called wrongly; 130: ended by Ctrl-C.`,
  options: {
    ...modelOptions,
    folder: { type: 'string', value: 'folder', help: libraryFolder },
    json: { type: 'boolean', help: 'print one JSON object' },
    debug: { type: 'boolean', help: 'stack traces' },
  },
  async run(given, settings) {
    const [text, ...more] = given.positionals;
    const problems = [...given.problems];
    for (const word of more) problems.push(`unexpected argument ${word}; put the text into quotes`);
    if (text === undefined || text.trim() === '') problems.push('say in quotes what is sought');
    const asks = textOf(given, 'script') !== undefined || textOf(given, 'model') !== undefined;
    const folder = folderOf(given, problems);
    const { setup, problems: wrong } = asks ? setUp(given, settings, folder) : withoutModel;
    problems.push(...wrong);
    if (problems.length > 0 || text === undefined || folder === undefined) return { problems };
    const library = setup?.library ?? libraryOf(folderTemplates(folder)).library;
    const { matches, spent } = setup
      ? await matchesByModel(text, setup, settings)
      : await findMatchingTasks(text, { library });
    const rows = matches.map(({ template, score, taskType }) => {
      const about = programOf(template, library).description;
      return {
        score,
        name: template.name,
        type: taskType,
        description: about ? oneLine(templateText(about)) : '',
      };
    });
    const line = ({ score, name, type, description }: (typeof rows)[number]) =>
      `${score.toFixed(2)}  ${name}  ${type}  ${description.slice(0, LONGEST)}`.trimEnd();
    if (given.values['json']) await print(JSON.stringify({ matches: rows, spent }));
    else if (rows.length > 0) await print(rows.map(line).join('\n'));
    else console.error(oneLine(`no registered task fits "${text}"`));
    return 0;
  },
};

async function matchesByModel(text: string, setup: Setup, host: Settings) {
  const { library } = setup;
  const { model } = await openSetupModel(setup, '--budget');
  const runtime = openSetupRuntime(setup, model, { host });
  try {
    const ask = askApart(await runtime.options({ library, signal: interruption() }));
    return await findMatchingTasks(text, { library, ask });
  } finally {
    await runtime.close();
  }
}
