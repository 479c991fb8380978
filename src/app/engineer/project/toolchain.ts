// Versions of the tools that a repository calls for, and results of its linters, where the job's commands run.
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

/** Reading them takes so long at most (milliseconds). */
export const FACTS_MS = 60_000;

/** Keeps wrappers from fetching another version for an answer. */
const env = { GOTOOLCHAIN: 'local', COREPACK_ENABLE_NETWORK: '0', RUSTUP_AUTO_INSTALL: '0' };

type Run = (
  command: string,
  time: { ms: number; more: string },
  signal: AbortSignal,
  options: { env: Record<string, string> },
) => Promise<Pick<CommandResult, 'stdout'>>;

/** Prints a line for each linter that a file at the root calls for: its exit code, and its last words. */
const lint = `lint() {
  grep -q "$2" "$1" 2>/dev/null || return
  shift 2; said=$("$@" 2>&1); echo "lint: $* exits $? $(echo "$said" | tail -n 1 | cut -c 1-120)"
}
lint package.json '"lint" *:' npm run --silent lint
lint Makefile '^lint *:' make lint
lint go.mod '^module ' gofmt -l .
lint Cargo.toml '^[' cargo fmt --check
lint pyproject.toml '^[tool.ruff' python3 -m ruff check .`;

/**
 * `node 24.1.0, npm 11.2.0`: the versions that the files at the root (`names`) call for, as far as they are there; and a line
 * for each linter. At most 1,000 characters.
 */
export async function readFacts(names: readonly string[], run: Run, signal: AbortSignal): Promise<string> {
  const there = new Set(names);
  const commands = [
    ...new Set(calledFor.flatMap(([files, asked]) => (files.some(file => there.has(file)) ? asked : []))),
  ];
  const time = { ms: FACTS_MS, more: 'that is enough for versions and linters' };
  const { stdout } = await run(`${scriptOf(commands)}\n${lint}`, time, signal, { env });
  const versions = versionsIn(stdout, commands.map(programOf)).join(', ');
  const linted = stdout.split('\n').filter(line => line.startsWith('lint: '));
  return [versions, ...linted].filter(Boolean).join('\n').slice(0, 1000);
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
