// Versions of the tools that a repository calls for, read once, where the job's commands run.
import type { CommandResult } from '@echelon/ground/workspace';

/** Files at the root, and the commands that print the versions of the tools they call for (from the tools' manuals). */
const calledFor: readonly [files: readonly string[], commands: readonly string[]][] = [
  [['package.json'], ['node --version', 'npm --version']],
  [['pnpm-lock.yaml'], ['pnpm --version']],
  [['yarn.lock'], ['yarn --version']],
  [['bun.lock', 'bun.lockb'], ['bun --version']],
  [['deno.json', 'deno.jsonc'], ['deno --version']],
  [['tsconfig.json'], ['node --version']],
  [['go.mod'], ['go version']],
  [['Cargo.toml'], ['cargo --version', 'rustc --version']],
  [['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'Pipfile'], ['python3 --version']],
  [['uv.lock'], ['uv --version']],
  [['poetry.lock'], ['poetry --version']],
  [['pom.xml'], ['java --version', 'mvn --version']],
  [
    ['build.gradle', 'build.gradle.kts'],
    ['java --version', 'gradle --version'],
  ],
  [['Gemfile'], ['ruby --version', 'bundle --version']],
  [['composer.json'], ['php --version', 'composer --version']],
  [['mix.exs'], ['elixir --version']],
  [['CMakeLists.txt'], ['cmake --version']],
  [['Makefile', 'makefile', 'GNUmakefile'], ['make --version']],
];

/** Nobody waits longer for versions (milliseconds). */
const PATIENCE_MS = 10_000;

/** Keeps wrappers from fetching another version for an answer. */
const env = { GOTOOLCHAIN: 'local', COREPACK_ENABLE_NETWORK: '0', RUSTUP_AUTO_INSTALL: '0' };

type Run = (
  command: string,
  time: { ms: number; more: string },
  signal: AbortSignal,
  options: { env: Record<string, string> },
) => Promise<Pick<CommandResult, 'stdout'>>;

/** `node 24.1.0, npm 11.2.0`: those that are there; empty where the files at the root call for none. */
export async function toolchainOf(
  files: readonly { path: string }[],
  run: Run,
  signal: AbortSignal,
): Promise<string> {
  const there = new Set(files.map(({ path }) => path));
  const commands = new Set(
    calledFor.flatMap(([names, asked]) => (names.some(name => there.has(name)) ? asked : [])),
  );
  if (commands.size === 0) return '';
  const time = { ms: PATIENCE_MS, more: 'that is enough for a version' };
  const { stdout } = await run(scriptOf([...commands]), time, signal, { env });
  return versionsIn(stdout, [...commands].map(programOf)).join(', ');
}

const programOf = (command: string) => command.split(' ')[0] ?? '';

/** All at once: some take a while to start. */
const scriptOf = (commands: readonly string[]) =>
  [
    ...commands.map(each => `echo "${programOf(each)} $(${each} 2>/dev/null | head -n 3 | tr '\\n' ' ')" &`),
    'wait',
  ].join('\n');

/** The repository may control these answers: of each line only a number is taken. */
function versionsIn(said: string, programs: readonly string[]): string[] {
  return programs.flatMap(program => {
    const line = said.split('\n').find(each => each.startsWith(`${program} `));
    const version = line?.match(/\d{1,6}(?:\.\d{1,6}){1,3}/)?.[0];
    return version === undefined ? [] : [`${program} ${version}`];
  });
}
