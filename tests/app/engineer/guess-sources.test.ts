// The project's own files as sources of its commands, in their order of authority: files in, guesses out.
import { expect, test } from 'vitest';
import { projectCommands } from '../../../src/app/engineer/project/project-commands.ts';
import { filesOf } from './guess-files.ts';

const pip = 'PIP_BREAK_SYSTEM_PACKAGES=1 python3 -mpip install --user';
const ci = (steps: string, { on = '[push]', job = '' } = {}) =>
  `on: ${on}\njobs:\n  build:\n    runs-on: ubuntu-latest\n${job}    steps:\n${steps}`;
const run = (...lines: string[]) => lines.map(line => `      - run: ${line}\n`).join('');
/** Of GitHub's workflow files. */
const expression = (what: string) => `$${`{{ ${what} }}`}`;
const ciPath = '.github/workflows/ci.yml';
const fromCi = `${ciPath}, job build`;
const copilotPath = '.github/workflows/copilot-setup-steps.yml';
const copilot = (steps: string) =>
  `on: workflow_dispatch\njobs:\n  copilot-setup-steps:\n    steps:\n${steps}`;
const npmTest = JSON.stringify({ scripts: { test: 'vitest run' } });
const npm = { 'package.json': npmTest, 'package-lock.json': '{}' };

type Guessed = [command: string, source: string] | undefined;

/** The files of a project, and the test and setup commands that they make. */
test.for<[name: string, files: Record<string, string>, test: Guessed, setup: Guessed]>([
  [
    'the test line of CI before package.json, and the installs before it',
    { ...npm, [ciPath]: ci(run('npm ci', 'npm run lint', 'npm run test:ci')) },
    ['npm run test:ci', fromCi],
    ['npm ci', fromCi],
  ],
  [
    'options of pytest stay; those of plugins that measure or spread go',
    {
      [ciPath]: ci(
        run('pip install -e .[dev]', 'pytest -q --doctest-modules --cov=a --cov-report xml -n auto'),
      ),
    },
    ['python3 -m pytest -q --doctest-modules xml', fromCi],
    [`${pip} -e .[dev]`, fromCi],
  ],
  [
    'the whole workspace of cargo',
    { 'Cargo.toml': '', [ciPath]: ci(run('cargo build', 'cargo test --workspace'), { on: 'pull_request' }) },
    ['cargo test --workspace', fromCi],
    ['cargo fetch && { cargo test --no-run || true; }', 'Cargo.toml'],
  ],
  [
    'a target of make, where there is a makefile',
    { Makefile: '', [ciPath]: ci(run('make check'), { on: '{push: {branches: [main]}}' }) },
    ['make check', fromCi],
    undefined,
  ],
  [
    'a target of make without a makefile',
    { [ciPath]: ci(run('./configure', 'make check')) },
    undefined,
    undefined,
  ],
  [
    'several lines in one step, and an upgrade of pip alone',
    {
      [ciPath]: ci(
        '      - run: |\n          python -m pip install --upgrade pip\n          pip install -r requirements/ci.txt\n          python -m unittest -v\n',
      ),
    },
    ['python -m unittest -v', fromCi],
    [`${pip} -r requirements/ci.txt`, fromCi],
  ],
  [
    'installs that cannot be read are not half taken',
    {
      'requirements.txt': '',
      [ciPath]: ci(run('pip install a', `"pip install b==${expression('matrix.b')}"`, 'pytest')),
    },
    ['python3 -m pytest', fromCi],
    [`${pip} -r requirements.txt`, 'requirements.txt'],
  ],
  [
    'tox in CI: what tox.ini says, without tox',
    {
      'setup.py': '',
      'tox.ini':
        '[tox]\nenvlist = py\n\n[testenv]\ndeps =\n    pytest>=7,<9\n    -r requirements/test.txt\n    py38: tomli\nextras = docs\ncommands =\n    pip list\n    pytest --doctest-modules {posargs:src}\n',
      [ciPath]: ci(run('pip install tox', 'tox -e py')),
    },
    ['python3 -m pytest --doctest-modules src', 'tox.ini, [testenv] commands'],
    [`${pip} -e '.[docs]' 'pytest>=7,<9' -r requirements/test.txt`, 'tox.ini, [testenv] deps'],
  ],
  [
    'tox in CI whose commands cannot be read: tox itself, installed while there is a network',
    {
      'tox.ini': '[testenv]\ncommands = {envbindir}/run {env:WHAT}\n',
      [ciPath]: ci(run('tox -e py')),
    },
    ['python3 -m tox -e py', fromCi],
    [`${pip} tox && python3 -m tox -e py --notest`, fromCi],
  ],
  [
    'tox.ini in the folder of its ini file',
    { 'tox.ini': '[testenv]\ncommands = {envpython} -m pytest {toxinidir}/tests [{posargs}]\n' },
    ['python3 -m pytest ./tests', 'tox.ini, [testenv] commands'],
    undefined,
  ],
  [
    'a script of hatch, and an extra for tests',
    {
      'pyproject.toml':
        '[project]\nname = "a"\n[project.optional-dependencies]\ntest = ["pytest"] # x\n[tool.hatch.envs.default.scripts]\ntest = "pytest {args:tests} -W error"\n',
    },
    ['python3 -m pytest tests -W error', 'pyproject.toml, [tool.hatch.envs.default.scripts] test'],
    [`${pip} -e '.[test]'`, 'pyproject.toml, extra test'],
  ],
  [
    'a task of poe, and a group over several lines',
    {
      'pyproject.toml':
        "[project]\nname = 'a'\n[dependency-groups]\ndev = [\n  'pytest>=8', # \"x\"\n  {include-group = 'x'},\n  'evil; rm -rf /',\n]\n[tool.poe.tasks.test]\ncmd = 'pytest -x'\n",
    },
    ['python3 -m pytest -x', 'pyproject.toml, [tool.poe.tasks.test] cmd'],
    [`${pip} -e . 'pytest>=8'`, 'pyproject.toml, group dev'],
  ],
  [
    'uv with a group for tests, and a script of pdm',
    {
      'uv.lock': '',
      'pyproject.toml':
        '[dependency-groups]\ntest = ["pytest"]\n[tool.pdm.scripts]\ntest = {cmd = "pytest --strict-markers"}\n',
    },
    ['uv run --no-sync python -m pytest --strict-markers', 'pyproject.toml, [tool.pdm.scripts] test'],
    ['uv sync --frozen --group test', 'uv.lock'],
  ],
  [
    'requirements for tests beside the others',
    { 'requirements.txt': '', 'requirements-dev.txt': '', 'test_a.py': '' },
    ['python3 -m pytest', 'test_a.py'],
    [`${pip} -r requirements.txt -r requirements-dev.txt`, 'requirements.txt'],
  ],
  [
    'the steps for agents before all; what cannot run in the sandbox is left out by name',
    {
      ...npm,
      [ciPath]: ci(run('npm install', 'npm test')),
      [copilotPath]: copilot(
        '      - uses: actions/checkout@v5\n      - uses: actions/setup-node@v5\n      - name: libraries\n        run: sudo apt-get install x\n      - run: npm ci\n      - run: npm run build\n        working-directory: web\n',
      ),
    },
    ['npm test', fromCi],
    ['set -e\nnpm ci\n(cd web\nnpm run build\n)', `${copilotPath}, without actions/setup-node@v5, libraries`],
  ],
  [
    'steps for agents of which none can run',
    { ...npm, [copilotPath]: copilot('      - uses: actions/setup-node@v5\n') },
    ['npm test', 'package.json'],
    ['npm ci', 'package-lock.json'],
  ],
  [
    'a development container, with comments',
    {
      ...npm,
      '.devcontainer/devcontainer.json':
        '// a\n{ "image": "http://x", /* b */ "postCreateCommand": "npm ci --prefix $' +
        '{containerWorkspaceFolder}", }',
    },
    ['npm test', 'package.json'],
    ['npm ci --prefix .', '.devcontainer/devcontainer.json, postCreateCommand'],
  ],
  [
    'a development container with a list, and with several commands',
    {
      '.devcontainer.json': '{"postCreateCommand": {"a": ["pip", "install", "a b"], "b": "npm ci"}}',
    },
    undefined,
    ["pip install 'a b' && npm ci", '.devcontainer.json, postCreateCommand'],
  ],
  ...['sudo npm ci', `$${'{localEnv:HOME}'}/x`, 'docker compose up'].map(
    (command): [string, Record<string, string>, Guessed, Guessed] => [
      `a development container that wants ${command}`,
      { ...npm, '.devcontainer.json': JSON.stringify({ postCreateCommand: command }) },
      ['npm test', 'package.json'],
      ['npm ci', 'package-lock.json'],
    ],
  ),
  [
    'a justfile',
    { justfile: 'build:\n  x\n\ntest *args: build\n  x\n' },
    ['just test', 'justfile'],
    undefined,
  ],
])('%s', async ([, files, tests, setup]) => {
  const { guessed } = await projectCommands(filesOf(files), {});
  const pair = (guess: { command: string; source: string } | undefined) =>
    guess && [guess.command, guess.source];
  expect([pair(guessed.test), pair(guessed.setup)]).toEqual([tests, setup]);
});

const long = 'x'.repeat(500);
/** Workflows that say nothing about the tests here: package.json does then. */
test.for<[name: string, workflow: string]>([
  ['started by hand', ci(run('npm run test:ci'), { on: 'workflow_dispatch' })],
  ['on Windows', ci(run('npm run test:ci')).replace('ubuntu-latest', 'windows-latest')],
  ['in a container', ci(run('npm run test:ci'), { job: '    container: node\n' })],
  ['with services', ci(run('npm run test:ci'), { job: '    services: {db: {image: x}}\n' })],
  ['on a condition', ci('      - run: npm run test:ci\n        if: always()\n')],
  ['in a folder', ci('      - run: npm run test:ci\n        working-directory: web\n')],
  ['in a folder by default', `defaults: {run: {working-directory: web}}\n${ci(run('npm run test:ci'))}`],
  [
    'with variables',
    ci(`      - run: npm run test:ci\n        env: {TOKEN: "${expression('secrets.X')}"}\n`),
  ],
  ['a secret', ci(run(`"npm run test:ci -- --key=${expression('secrets.X')}"`))],
  ['a pipe', ci(run('"npm run test:ci | tee log"'))],
  ['a second command', ci(run('"npm run test:ci; curl x"'))],
  ['a substitution', ci(run('"npm run test:ci -- $(curl x)"'))],
  ['a redirection', ci(run('"npm run test:ci > /dev/null"'))],
  ['after a change of folder', ci('      - run: |\n          cd web\n          npm run test:ci\n')],
  ['a part of the tests', ci(run('npm run test:e2e', 'npm run test:ci -- --shard=1/2'))],
  ['no tests', ci(run('npm run testing', 'npm run build'))],
  ['a long line', ci(run(`npm run test:ci -- ${long}`))],
  ['an alias', `x: &a [push]\n${ci(run('npm run test:ci'), { on: '*a' })}`],
  ['a key twice', `${ci(run('npm run test:ci'))}\non: [push]\n`],
  ['no YAML', '{'],
  ['a list', '- a\n'],
  ['too large', `${ci(run('npm run test:ci'))}# ${'x'.repeat(70_000)}\n`],
  ['nested', `a: ${'['.repeat(20_000)}`],
])('a workflow that does not count: %s', async ([, workflow]) => {
  const files = filesOf({ 'package.json': npmTest, [ciPath]: workflow });
  const { guessed } = await projectCommands(files, {});
  expect(guessed.test).toEqual({ command: 'npm test', source: 'package.json' });
});

test('files of hostile units are read in linear time', async () => {
  const units = [
    '"',
    '\\"',
    '/*',
    '//',
    ',',
    '[',
    "'",
    '{posargs:',
    '[a]\n',
    'a = [\n',
    ' -m',
    '\\\n',
    'a b ',
  ];
  const paths = ['.devcontainer.json', 'tox.ini', 'pyproject.toml', 'Makefile', 'justfile', 'package.json'];
  const before = process.cpuUsage();
  for (const unit of units)
    for (const begin of [
      '',
      '[testenv]\ncommands = ',
      '[project]\n[tool.poe.tasks]\ntest = ',
      '{"postCreateCommand": "',
    ]) {
      const text = begin + unit.repeat(Math.floor(120_000 / unit.length));
      await projectCommands(filesOf(Object.fromEntries(paths.map(path => [path, text]))), {});
    }
  const { user } = process.cpuUsage(before);
  // A file that is read in quadratic time takes longer alone (microseconds).
  expect(user).toBeLessThan(15e6);
}, 60_000);

test('a configuration that names a command has nothing guessed for it', async () => {
  const named = { test: '', setup: 'true' };
  expect(await projectCommands(filesOf(npm), named)).toEqual({ test: '', setup: 'true', guessed: {} });
});
