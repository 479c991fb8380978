// The test and setup commands of a run: as the configuration names them, else guessed from the project's files.
import { guessSetup } from './guess-setup.ts';
import { guessTest } from './guess-test.ts';
import type { ProjectFiles } from './project-files.ts';

export type ProjectCommands = Awaited<ReturnType<typeof projectCommands>>;

export async function projectCommands(
  files: ProjectFiles,
  named: { test?: string | undefined; setup?: string | undefined },
) {
  const guessedSetup = named.setup === undefined ? await guessSetup(files) : undefined;
  const setup = named.setup ?? guessedSetup?.command ?? '';
  const guessedTest = named.test === undefined ? await guessTest(files, setup) : undefined;
  const guessed = { ...(guessedTest && { test: guessedTest }), ...(guessedSetup && { setup: guessedSetup }) };
  return {
    /** Empty: there is none. */
    test: named.test ?? guessedTest?.command ?? '',
    setup,
    /** Those that no configuration names. */
    guessed,
  };
}
