// The test command of a repository that names none: one guess from the project's own files.
import { jsonOf } from '@echelon/ground';
import type { Guess } from '../../comments/view.ts';
import { firstGuess, type ProjectFiles } from './project-files.ts';
import { ciTests } from './project-workflows.ts';
import { pyprojectTests, toxTests } from './python-project.ts';
import { pipInstall, pythonAfter, testCommand } from './test-runners.ts';
import { z } from 'zod';

/**
 * Undefined where nothing is recognised. `setup`: the command that installs dependencies, which may have a Python of
 * their own. Nothing of the project is run to find it.
 */
export const guessTest = (files: ProjectFiles, setup = ''): Promise<Guess | undefined> =>
  firstGuess([
    () => ciTest(files, setup),
    () => toxTests(files, setup),
    () => pyprojectTests(files, setup),
    () => packageScript(files),
    () => makeTarget(files),
    async () => justRecipe(files),
    async () => byConvention(files, setup),
  ]);

const PackageJson = z.object({ scripts: z.object({ test: z.string().min(1) }) });

/** The `test` script; the one that `npm init` writes is none. */
async function packageScript(files: ProjectFiles): Promise<Guess | undefined> {
  const script = PackageJson.safeParse(jsonOf(await files.read('package.json'))).data?.scripts.test;
  if (script === undefined || /no test specified/.test(script)) return undefined;
  return { command: 'npm test', source: 'package.json' };
}

async function makeTarget(files: ProjectFiles): Promise<Guess | undefined> {
  const source = ['GNUmakefile', 'makefile', 'Makefile'].find(name => files.paths.has(name));
  if (source === undefined || !/^test\s*::?(?!=)/m.test(await files.read(source))) return undefined;
  return { command: 'make test', source };
}

async function justRecipe(files: ProjectFiles): Promise<Guess | undefined> {
  const source = ['justfile', 'Justfile', '.justfile'].find(name => files.paths.has(name));
  if (source === undefined || !/^@?test\b[^:=\n]*:(?!=)/m.test(await files.read(source))) return undefined;
  return { command: 'just test', source };
}

/** A file or folder that says which tool tests the project. */
function byConvention({ paths }: ProjectFiles, setup: string): Guess | undefined {
  const pytest = `${pythonAfter(setup)} -m pytest`;
  const testFile = [...paths].find(path => /(^|\/)test_[^/]*\.py$/.test(path));
  const known: [source: string, command: string][] = [
    ...['pytest.ini', 'conftest.py', 'tox.ini', testFile ?? ''].map((source): [string, string] => [
      source,
      pytest,
    ]),
    ['Cargo.toml', 'cargo test'],
    ['go.mod', 'go test ./...'],
    ['pom.xml', 'mvn --batch-mode test'],
  ];
  const [source, command] = known.find(([each]) => paths.has(each)) ?? [];
  return source !== undefined && command !== undefined ? { command, source } : undefined;
}

/** Tests by tox run without it where tox.ini can be read. */
async function ciTest(files: ProjectFiles, setup: string): Promise<Guess | undefined> {
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
