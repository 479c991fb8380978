// Options of `task run`: program, inputs, model and rights, all checked before anything runs.
import { dirname, resolve } from 'node:path';
import { digest, type Json } from '@echelon/ground';
import type { Task } from '../../../engine/texts.ts';
import { folderOf, isFolder, type Parsed, textOf } from '../options.ts';
import type { Settings } from '../../settings.ts';
import { misfits, needsMore, readInputs, runnable } from '../../../engine/engine.ts';
import { programNamed } from './program-files.ts';
import { type Setup, setUp } from './setup.ts';

export interface RunPlan {
  setup: Setup;
  /** A request in words where it is still to be found. */
  program: Task | string;
  /** Digest of its source. */
  source: string;
  inputs: Record<string, Json>;
  /** Of the check of the program. */
  warnings: string[];
  folder: string;
  /** Tasks get context from the folder's index. */
  remembers: boolean;
  allowScripts: boolean;
  journal: string | undefined;
  /** Value of --model. */
  model: string | undefined;
  json: boolean;
  debug: boolean;
}

/** The plan of `task run`, or `do` with a request in words, or everything that is wrong with the call; nothing has been done. */
export function planRun(
  given: Parsed,
  settings: Settings,
  verb: 'run' | 'do',
): RunPlan | { problems: string[] } {
  const { problems } = given;
  const [what] = given.positionals;
  const folder = folderOf(given, problems);
  const journal = textOf(given, 'journal');
  if (journal !== undefined && !isFolder(dirname(resolve(journal))))
    problems.push(`--journal ${journal}: there is no folder ${dirname(journal)}`);
  const { inputs, problems: wrongInputs } = readInputs(given.lists['input'] ?? []);
  problems.push(...wrongInputs);
  const { setup, library: around, problems: wrongSetup } = setUp(given, settings, folder);
  problems.push(...wrongSetup);
  // A program that is no use without its library is not reported as wrong for that.
  if (!around || what === undefined) return { problems };

  const allowScripts = given.values['allow-scripts'] === true;
  const plan = {
    inputs,
    remembers: textOf(given, 'folder') !== undefined,
    allowScripts,
    journal,
    model: textOf(given, 'model'),
    json: given.values['json'] === true,
    debug: given.values['debug'] === true,
  };
  if (verb === 'do') {
    if (problems.length > 0 || !setup || folder === undefined) return { problems };
    return { ...plan, setup, program: what, source: digest(what), warnings: [], folder };
  }
  const found = programNamed(what, around);
  if ('problems' in found) return { problems: [...problems, ...found.problems] };
  const { program, library } = runnable(found.program, found.source, around);
  const { source, warnings } = found;
  problems.push(...misfits(program, inputs));
  problems.push(
    ...needsMore(program, library, {
      scripts: allowScripts,
      abilities: process.stdin.isTTY ? ['ask'] : [],
      allow: '--allow-scripts',
      noAsk: 'it needs a terminal to ask on',
    }),
  );
  if (problems.length > 0 || !setup || folder === undefined) return { problems };
  return { ...plan, setup: { ...setup, library }, program, source: digest(source.text), warnings, folder };
}
