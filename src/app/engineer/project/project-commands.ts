// The test and setup commands of a run: as the configuration names them, else guessed from the project's files.
import type { Guesses } from '../../comments/view.ts';
import { guessSetup } from './guess-setup.ts';
import { guessTest } from './guess-test.ts';
import type { ProjectFiles } from './project-files.ts';

export interface ProjectCommands {
  /** Empty: there is none. */
  test: string;
  setup: string;
  /** Those that no configuration names. */
  guessed: Guesses;
}

export async function projectCommands(
  files: ProjectFiles,
  named: { test?: string | undefined; setup?: string | undefined },
): Promise<ProjectCommands> {
  const guessedSetup = named.setup === undefined ? await guessSetup(files) : undefined;
  const setup = named.setup ?? guessedSetup?.command ?? '';
  const guessedTest = named.test === undefined ? await guessTest(files, setup) : undefined;
  const guessed = { ...(guessedTest && { test: guessedTest }), ...(guessedSetup && { setup: guessedSetup }) };
  return { test: named.test ?? guessedTest?.command ?? '', setup, guessed };
}
