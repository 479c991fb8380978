// A script's lines, read without a shell; and the command lines that are known to run a project's tests, and to install
// what they need: two tables.

/** Characters of a line that is read. */
const MAX_LINE = 400;

/** Words, quoted texts and assignments before them: nothing that a shell would expand, redirect or connect. */
const plain = /^(?:[\w@%+=:,./~^[\]\s-]|'[^'\n]*'|"[^"$`\\\n]*")+$/;

/**
 * The commands of a script, one a line or joined by `&&`; undefined where any of them is more than words, or changes what
 * the others mean (`cd`, `export`).
 */
export function plainCommands(script: string): string[] | undefined {
  const lines = script
    .replace(/\\\r?\n/g, ' ')
    .split(/\r?\n| && /)
    .map(line => line.trim().replace(/\s+/g, ' '))
    .filter(line => line !== '' && !line.startsWith('#'));
  const isRead = (line: string) =>
    line.length <= MAX_LINE && plain.test(line) && !/^(?:cd|export|source|set|if|for|while|\.) /.test(line);
  return lines.every(isRead) ? lines : undefined;
}

/** The words of a plain command, quotes included. */
export const wordsOf = (command: string): string[] => command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];

/** A text as one word of a shell's command. */
export const quotedWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** Assignments before a command, as in `CI=true npm test`. */
const assignments = /^(?:[A-Z_][A-Z0-9_]*=[\w./:,-]* )*/;

/** Parts of the tests that a sandbox cannot run, and lines that run none or have no end. */
const excluded =
  /\b(?:e2e|integration|browsers?|smoke|bench\w*|lint|typecheck|types)\b|--(?:no-run|collect-only|list|shard|watch(?:All)?(?!=false))\b/;

/** Variants of a script or target called `test`. */
const variant = '(?::(?:ci|unit|run|node|all|cov|coverage|once|jest|vitest|mocha))?';

const runners: readonly RegExp[] = [
  new RegExp(`^(?:npm|pnpm|yarn|bun)(?: -r| --recursive)?(?: run)? test${variant}(?: |$)`),
  /^(?:npm t|npm-test|bun test|deno test|deno task test|node --test)(?: |$)/,
  /^(?:npx|pnpm|pnpm exec|yarn|yarn exec|bunx) (?:vitest run|jest|mocha|ava|tap)(?: |$)/,
  /^(?:python3? -m unittest|python3? (?:\.\/)?manage\.py test|(?:python3? -m )?tox)(?: |$)/,
  /^cargo test(?: |$)/,
  /^go test (?:.* )?\.\/\.\.\.(?: |$)/,
  /^(?:mvn|\.\/mvnw) (?:-\S+ )*(?:test|verify)(?: |$)/,
  /^(?:gradle|\.\/gradlew) (?:-\S+ )*(?:test|check|build)(?: |$)/,
  /^make (?:test|tests|check|unittest|unit-test|test-unit)$/,
  /^(?:dotnet test|mix test|swift test|composer (?:run )?tests?|(?:\.\/)?vendor\/bin\/phpunit)(?: |$)/,
  /^(?:bundle exec )?(?:rspec|rake(?: test| spec)?)(?: |$)/,
];

/** Programs that run another one in the environment of a Python project. */
const pythonTools = new Set([
  'uv',
  'poetry',
  'pdm',
  'pipenv',
  'hatch',
  'rye',
  'coverage',
  'python',
  'python3',
]);

/** Options of pytest's plugins that measure or spread the tests: they need what may not be installed, and change no result. */
const pluginOption = /^(?:--(?:cov|no-cov|numprocesses|dist|reruns)\b.*|-n\w+)$/;

/**
 * The command as it can run after `setup`, if the line is known to run tests. `setup` may install into a Python
 * environment of its own.
 */
export function testCommand(line: string, setup: string): string | undefined {
  const [before = ''] = assignments.exec(line) ?? [];
  const rest = line.slice(before.length);
  if (excluded.test(rest)) return undefined;
  const pytest = pytestArguments(rest);
  if (pytest) return [`${before}${pythonAfter(setup)} -m pytest`, ...pytest].join(' ');
  const known = runners.some(each => each.test(rest));
  return known ? before + rest.replace(/^(?:python3? -m )?tox\b/, 'python3 -m tox') : undefined;
}

/** Arguments of `pytest`; undefined: the line runs something else. */
function pytestArguments(line: string): string[] | undefined {
  const words = wordsOf(line);
  const at = words.findIndex(word => word === 'pytest' || word === 'py.test');
  if (at < 0 || (at > 0 && !pythonTools.has(words[0] ?? ''))) return undefined;
  return words
    .slice(at + 1)
    .filter((word, index, all) => word !== '-n' && all[index - 1] !== '-n' && !pluginOption.test(word));
}

export function pythonAfter(setup: string): string {
  if (/\buv sync\b/.test(setup)) return 'uv run --no-sync python';
  return /\bpoetry install\b/.test(setup) ? 'poetry run python' : 'python3';
}

/** Installs for the user: a sandbox cannot write where the system's packages are. */
export const pipInstall = (words: string): string =>
  // In one word: after `-m pip` pyenv writes into its own folder, which a sandbox does not let it.
  `PIP_BREAK_SYSTEM_PACKAGES=1 python3 -mpip install --user ${words}`;

const installers: readonly RegExp[] = [
  /^(?:npm ci|npm install|npm i|pnpm install|pnpm i|yarn|yarn install|bun install)(?: -\S+)*$/,
  /^(?:uv sync|poetry install|pdm install|pipenv install|bundle install|composer install)(?: .*)?$/,
  /^(?:go mod download|cargo fetch|dotnet restore|mix deps\.get)(?: -\S+)*$/,
];

/** The command that installs what tests need, if the line is known to do that. */
export function installCommand(line: string): string | undefined {
  const words = /^(?:python3? -m ?)?pip3? install (.+)$/.exec(line)?.[1];
  if (words === undefined) return installers.some(each => each.test(line)) ? line : undefined;
  const ofItself = wordsOf(words).every(word =>
    /^(?:-U|--upgrade|-q|--quiet|pip|setuptools|wheel)$/.test(word),
  );
  return ofItself ? undefined : pipInstall(words.replace(/(?:^|\s)--user\b/, '').trim());
}
