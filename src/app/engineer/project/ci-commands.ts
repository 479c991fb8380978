// The test and setup commands that a project's CI runs, as they can run here.
import type { Guess } from '../../comments/view.ts';
import type { ProjectFiles } from './project-files.ts';
import { ciTests } from './project-workflows.ts';
import { toxTests } from './python-project.ts';
import { pipInstall, testCommand } from './test-runners.ts';

/** Tests by tox run without it where tox.ini can be read. */
export async function ciTest(files: ProjectFiles, setup: string): Promise<Guess | undefined> {
  const found = await ciTests(files);
  const command = found && testCommand(found.line, setup);
  if (!command) return undefined;
  const tox = usesTox(command) ? await toxTests(files, setup) : undefined;
  return tox ?? { command, source: found.source };
}

export async function ciSetup(files: ProjectFiles): Promise<Guess | undefined> {
  const found = await ciTests(files);
  const test = found && testCommand(found.line, '');
  if (!test) return undefined;
  const { source, installs } = found;
  if (!usesTox(test)) return { command: installs.join(' && '), source };
  if (await toxTests(files, '')) return undefined;
  return { command: `${pipInstall('tox')} && ${test} --notest`, source };
}

const usesTox = (command: string) => /\bpython3 -m tox\b/.test(command);
