// The command that installs what a repository's tests need: one guess from the project's own files. Also that of a development
// container, the table of package managers, and the files that an installation depends on.
import { jsonOf } from '@echelon/ground';
import { ciSetup } from './guess-test.ts';
import type { Guess } from '../../comments/view.ts';
import { firstGuess, type ProjectFiles } from './project-files.ts';
import { copilotSetup, runsInSandbox } from './project-workflows.ts';
import { pyprojectSetup, toxSetup, withTests } from './python-project.ts';
import { pipInstall, quotedWord } from './test-runners.ts';
import { z } from 'zod';

const Command = z.union([z.string(), z.array(z.string())]);
const DevContainer = z.looseObject({
  postCreateCommand: z.union([Command, z.record(z.string(), Command)]),
});

async function devcontainerSetup(files: ProjectFiles): Promise<Guess | undefined> {
  const path = ['.devcontainer/devcontainer.json', '.devcontainer.json'].find(each => files.paths.has(each));
  if (path === undefined) return undefined;
  const read = DevContainer.safeParse(jsonWithComments(await files.read(path)));
  if (!read.success) return undefined;
  const { postCreateCommand: written } = read.data;
  const commands = typeof written === 'string' || Array.isArray(written) ? [written] : Object.values(written);
  const command = commands
    .map(each => (typeof each === 'string' ? each.trim() : each.map(quotedWord).join(' ')))
    .filter(each => each !== '')
    .join(' && ')
    .replaceAll(/\$\{(?:containerWorkspaceFolder|localWorkspaceFolder)\}/g, '.');
  // Other variables of the container's are not known here.
  if (!runsInSandbox(command) || /\$\{(?:container|local|devcontainer)/.test(command)) return undefined;
  return { command, source: `${path}, postCreateCommand` };
}

/** Comments and commas before a closing bracket are left out; undefined: it is no JSON then. */
function jsonWithComments(text: string): unknown {
  // An unclosed comment or string ends with the text, so that reading it takes linear time.
  const string = '"(?:[^"\\\\]|\\\\.?)*(?:"|$)';
  const without = (what: string, from: string) =>
    from.replace(new RegExp(`(${string})|${what}`, 'gs'), (_all, kept?: string) => kept ?? '');
  const uncommented = without('//[^\\n]*|/\\*.*?(?:\\*/|$)', text);
  return jsonOf(without(',(?=\\s*[}\\]])', uncommented));
}

interface Ecosystem {
  /** The first of them that stands at the root is what the command reads. */
  files: readonly string[];
  /** Installs what they name; the first whose file is there. */
  command: (file: string, has: (file: string) => boolean) => string;
  /** Name what is installed where nothing locks it. */
  manifests?: readonly string[];
  /** Hosts that the package managers of these files download from by default. */
  registries: readonly string[];
  /** Says the version of the tool that what is installed is for. */
  version: string;
}

// A project that does not compile is told of by its tests.
const goTests = "go test -run '^$' ./... || true";

const ecosystems: readonly Ecosystem[] = [
  {
    files: ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock'],
    command: file =>
      ({ 'pnpm-lock.yaml': 'pnpm install --frozen-lockfile', 'yarn.lock': 'yarn install --frozen-lockfile' })[
        file
      ] ?? 'npm ci',
    manifests: ['package.json'],
    // https://docs.npmjs.com/cli/using-npm/registry, https://classic.yarnpkg.com/en/docs/cli/config
    registries: ['registry.npmjs.org', 'registry.yarnpkg.com'],
    version: 'node --version',
  },
  {
    files: ['uv.lock', 'poetry.lock', 'requirements.txt'],
    command: file =>
      ({ 'uv.lock': 'uv sync --frozen', 'poetry.lock': 'poetry install --no-interaction' })[file] ??
      pipInstall('-r requirements.txt'),
    manifests: ['pyproject.toml', 'setup.py', 'setup.cfg', 'Pipfile', 'tox.ini'],
    // https://docs.pypi.org/api/index-api/: the index names the files on the second host.
    registries: ['pypi.org', 'files.pythonhosted.org'],
    version: 'python3 --version',
  },
  {
    files: ['Cargo.lock', 'Cargo.toml'],
    command: () => 'cargo fetch && { cargo test --no-run || true; }',
    // https://doc.rust-lang.org/nightly/nightly-rustc/cargo/sources/registry/constant.CRATES_IO_HTTP_INDEX.html,
    // https://index.crates.io/config.json
    registries: ['index.crates.io', 'static.crates.io', 'crates.io'],
    version: 'cargo --version',
  },
  {
    files: ['go.sum', 'go.mod'],
    command: (_file, has) => (has('vendor/modules.txt') ? goTests : `go mod download && { ${goTests}; }`),
    // https://go.dev/ref/mod#environment-variables: GOPROXY and GOSUMDB
    registries: ['proxy.golang.org', 'sum.golang.org'],
    version: 'go version',
  },
  {
    files: ['pom.xml'],
    command: () => 'mvn --batch-mode test-compile',
    // https://maven.apache.org/guides/introduction/introduction-to-the-pom.html#super-pom
    registries: ['repo.maven.apache.org', 'repo1.maven.org'],
    version: 'java -version',
  },
  {
    files: ['gradle.lockfile', 'build.gradle', 'build.gradle.kts'],
    command: (_file, has) => `${has('gradlew') ? 'sh gradlew' : 'gradle'} --no-daemon testClasses`,
    // https://docs.gradle.org/current/userguide/plugins.html, and `mavenCentral()`; the portal redirects to the third.
    registries: [
      ...['repo.maven.apache.org', 'repo1.maven.org'],
      ...['plugins.gradle.org', 'plugins-artifacts.gradle.org', 'services.gradle.org'],
    ],
    version: 'java -version',
  },
  {
    files: ['Gemfile.lock'],
    // The folder of the system's gems is read-only.
    command: () => 'bundle config set --global path ~/.gems && bundle install',
    // https://guides.rubygems.org/rubygems-org-compact-index-api/
    registries: ['rubygems.org', 'index.rubygems.org'],
    version: 'ruby --version',
  },
  {
    files: ['packages.lock.json', 'Directory.Packages.props'],
    command: () => 'dotnet restore',
    // https://learn.microsoft.com/nuget/api/overview
    registries: ['api.nuget.org'],
    version: 'dotnet --version',
  },
];

/** Beside those above: what else says which versions are installed, at any depth of a repository. */
const pins = [
  ...['go.work', 'go.work.sum', 'pnpm-workspace.yaml', '.npmrc', '.yarnrc', '.yarnrc.yml'],
  ...[
    '.node-version',
    '.nvmrc',
    '.python-version',
    '.tool-versions',
    'rust-toolchain',
    'rust-toolchain.toml',
  ],
  ...['settings.gradle', 'settings.gradle.kts', 'libs.versions.toml', 'gradle-wrapper.properties'],
];
const names = new Set([...ecosystems.flatMap(({ files }) => files), ...pins]);
/** They say it where nothing is locked; else a script that is added to them would have all installed again. */
const manifests = new Set(ecosystems.flatMap(each => each.manifests ?? []));

/** Undefined where nothing is recognised. Nothing of the project is run to find it. */
export function guessSetup(files: ProjectFiles): Promise<Guess | undefined> {
  const byLock = lockGuess(files.paths);
  // A list of requirements says less than what tox installs.
  const isLocked = byLock !== undefined && byLock.source !== 'requirements.txt';
  return firstGuess([
    () => copilotSetup(files),
    () => devcontainerSetup(files),
    () => ciSetup(files),
    ...(isLocked ? [] : [() => toxSetup(files)]),
    async () => byLock && { ...byLock, command: await withTests(byLock.command, files) },
    () => pyprojectSetup(files),
  ]);
}

function lockGuess(paths: ReadonlySet<string>): Guess | undefined {
  for (const { files, command } of ecosystems) {
    const source = files.find(each => paths.has(each));
    if (source !== undefined) return { command: command(source, each => paths.has(each)), source };
  }
  return undefined;
}

/** Registries of the package managers whose files stand at these paths, at any depth. */
export function registriesOf(paths: readonly string[]): string[] {
  const there = new Set(paths.map(nameOf));
  const own = ecosystems.filter(each =>
    [...each.files, ...(each.manifests ?? [])].some(name => there.has(name)),
  );
  return [...new Set(own.flatMap(({ registries }) => registries))].sort();
}

/** True if the installation depends on the file; `locked`: the repository has a file that locks versions. */
export const isLock = (path: string, locked: boolean): boolean =>
  names.has(nameOf(path)) || (!locked && manifests.has(nameOf(path)));

/** True if the file locks versions, or names them where its tool has no other place for that. */
export const isLocking = (path: string): boolean =>
  ecosystems.some(({ files }) => files.includes(nameOf(path)));

/** A command that says the versions of the tools that work with these files; all tools where there are none. */
export function versionsCommand(paths: readonly string[]): string {
  const own = ecosystems.filter(({ files }) => paths.some(path => files.includes(nameOf(path))));
  const asked = (own.length > 0 ? own : ecosystems).map(({ version }) => version);
  return ['cat /etc/os-release', ...new Set(asked)].map(each => `${each} 2>&1`).join('; ');
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
