// Commands and packages in tox.ini and pyproject.toml: as far as those need the sections, keys and values of an INI or TOML file.
import type { Guess } from '../../comments/view.ts';
import type { ProjectFiles } from './project-files.ts';
import { pipInstall, plainCommands, quotedWord, testCommand, wordsOf } from './test-runners.ts';

/** Characters of a line that is read: what reading it takes may grow with their square. */
const MAX_LINE = 2000;

/** By the section's name: each key's value as it is written, lines that continue it included. */
type Sections = Map<string, Map<string, string>>;

/**
 * TOML's values end where their brackets close, INI's where a line is not indented. Anything else a file may hold is
 * left out, not refused: the file belongs to another tool.
 */
function sectionsOf(text: string, form: 'ini' | 'toml'): Sections {
  const sections: Sections = new Map();
  let section = new Map<string, string>();
  let key = '';
  let depth = 0;
  for (const line of text.split(/\r?\n/)) {
    if (line.length > MAX_LINE) continue;
    const header = /^\[{1,2}([^[\]]+)\]{1,2}\s*(?:#.*)?$/.exec(line)?.[1];
    if (key !== '' && (form === 'ini' ? /^\s+\S/.test(line) : depth > 0)) {
      const more = withoutComment(line, form);
      section.set(key, `${section.get(key)}\n${more}`);
      depth += openedIn(more);
    } else if (header !== undefined) {
      const name = header.replaceAll(/["'\s]/g, '');
      section = sections.get(name) ?? new Map<string, string>();
      sections.set(name, section);
      key = '';
    } else {
      const [, name = '', value = ''] = /^\s*["']?([\w.-]+)["']?\s*[=:](.*)$/.exec(line) ?? [];
      if (name === '') continue;
      key = name;
      section.set(key, withoutComment(value, form).trim());
      depth = openedIn(section.get(key) ?? '');
    }
  }
  return sections;
}

/** Brackets that a line opens and does not close. */
function openedIn(line: string): number {
  const outside = line.replaceAll(quotedText, '');
  return outside.split('[').length - outside.split(']').length;
}

const quotedText = /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/g;

function withoutComment(line: string, form: 'ini' | 'toml'): string {
  if (form === 'ini') return line.replace(/(?:^|\s)[#;].*$/, '');
  return line.replaceAll(/("(?:[^"\\]|\\.)*"|'[^']*')|#.*$/g, (_all, text?: string) => text ?? '');
}

/** The quoted texts in a value of TOML. */
const textsIn = (value: string): string[] =>
  (value.match(quotedText) ?? []).map(each => each.slice(1, -1).replaceAll(/\\(["\\])/g, '$1'));

/** Names under which projects keep what their tests need. */
const forTests = ['test', 'tests', 'testing', 'dev', 'develop'];

/** A requirement that pip is given as one word, without an address in it. */
const requirement = /^[\w.-]+(?:\[[\w,. -]+\])?\s*(?:[<>=!~][\w.*+!<>=~, -]*)?$/;

const toxIni = async (files: ProjectFiles): Promise<Sections> =>
  sectionsOf(await files.read('tox.ini'), 'ini');
const pyproject = async (files: ProjectFiles): Promise<Sections> =>
  sectionsOf(await files.read('pyproject.toml'), 'toml');

/** The command of `[testenv]`, without tox: an environment of its own would be installed where there is no network. */
export async function toxTests(files: ProjectFiles, setup: string): Promise<Guess | undefined> {
  const testenv = (await toxIni(files)).get('testenv');
  if (!testenv || testenv.has('changedir')) return undefined;
  const command = firstTest(
    (testenv.get('commands') ?? '').replace(/\\\n/g, ' ').split('\n').map(withoutTox),
    setup,
  );
  return command === undefined ? undefined : { command, source: 'tox.ini, [testenv] commands' };
}

/** A line as it is without tox: what a person may add is left out, its default stays. https://tox.wiki/en/latest/config.html */
const withoutTox = (line: string): string =>
  line
    .replaceAll(/\[?\{posargs(?::([^{}]*))?\}\]?/g, '$1')
    .replaceAll('{envpython}', 'python3')
    .replaceAll(/\{tox_?ini_?dir\}\/?/g, './');

/** The script `test` of hatch, pdm or poe. */
export async function pyprojectTests(files: ProjectFiles, setup: string): Promise<Guess | undefined> {
  for (const [section, values] of await pyproject(files)) {
    if (!/^tool\.(?:hatch\.envs\.[\w-]+\.scripts|pdm\.scripts|poe\.tasks)(?:\.tests?)?$/.test(section))
      continue;
    const key = ['test', 'tests', 'cmd'].find(each => values.has(each));
    const lines = textsIn(values.get(key ?? '') ?? '').map(line =>
      line.replaceAll(/\{args(?::([^{}]*))?\}/g, '$1'),
    );
    const command = firstTest(lines, setup);
    if (command !== undefined) return { command, source: `pyproject.toml, [${section}] ${key}` };
  }
  return undefined;
}

const firstTest = (lines: readonly string[], setup: string): string | undefined =>
  lines.flatMap(line => plainCommands(line) ?? []).flatMap(line => testCommand(line, setup) ?? [])[0];

/** The packages of `[testenv]`, with the project itself. */
export async function toxSetup(files: ProjectFiles): Promise<Guess | undefined> {
  const testenv = (await toxIni(files)).get('testenv');
  if (!testenv) return undefined;
  const isAlone =
    testenv.get('skip_install') === 'true' ||
    !(files.paths.has('pyproject.toml') || files.paths.has('setup.py'));
  const extras = wordsOf((testenv.get('extras') ?? '').replaceAll(',', ' ')).filter(each =>
    /^[\w-]+$/.test(each),
  );
  const words = [
    ...(isAlone ? [] : [itself(extras)]),
    ...(testenv.get('deps') ?? '').split('\n').flatMap(line => dependency(withoutTox(line).trim())),
  ];
  return words.length === 0
    ? undefined
    : { command: pipInstall(words.join(' ')), source: 'tox.ini, [testenv] deps' };
}

function dependency(line: string): string[] {
  const file = /^-[rc]\s*([\w./-]+)$/.exec(line)?.[1];
  if (file !== undefined) return [line.slice(0, 2), file];
  return requirement.test(line) ? [quotedWord(line)] : [];
}

const itself = (extras: readonly string[]) =>
  `-e ${quotedWord(extras.length > 0 ? `.[${extras.join()}]` : '.')}`;

/** The project itself, with the extras and groups that are named for tests. */
export async function pyprojectSetup(files: ProjectFiles): Promise<Guess | undefined> {
  const sections = await pyproject(files);
  if (!sections.has('project') && !sections.has('build-system')) return undefined;
  const { extras, groups } = await namedForTests(files);
  const listed = sections.get('dependency-groups');
  // A table in the list names another group.
  const listedIn = (name: string) => textsIn((listed?.get(name) ?? '').replaceAll(/\{[^{}]*\}/g, ''));
  const packages = groups.flatMap(name => listedIn(name).filter(each => requirement.test(each)));
  const words = [itself(extras), ...new Set(packages.map(quotedWord))].join(' ');
  const places = [...extras.map(name => `extra ${name}`), ...groups.map(name => `group ${name}`)];
  return { command: pipInstall(words), source: ['pyproject.toml', ...places].join(', ') };
}

/** Tests often need an extra, a group or a file of their own, which is not installed by default. */
export async function withTests(command: string, files: ProjectFiles): Promise<string> {
  const tool = /^(?:uv sync|poetry install)|--user -r /.exec(command)?.[0];
  if (tool === undefined) return command;
  const { extras, groups } = await namedForTests(files);
  const words = {
    'uv sync': [...extras.map(name => `--extra ${name}`), ...groups.map(name => `--group ${name}`)],
    'poetry install': extras.map(name => `--extras ${name}`),
  }[tool] ?? [...requirementFiles(files), ...(extras.length > 0 ? [itself(extras)] : [])];
  return [command, ...words].join(' ');
}

const requirementFiles = ({ paths }: ProjectFiles): string[] =>
  forTests
    .flatMap(name => [
      `requirements-${name}.txt`,
      `requirements_${name}.txt`,
      `${name}-requirements.txt`,
      `requirements/${name}.txt`,
    ])
    .flatMap(path => (paths.has(path) ? `-r ${path}` : []));

/** Extras and groups of dependencies that tests need. */
async function namedForTests(files: ProjectFiles): Promise<{ extras: string[]; groups: string[] }> {
  const sections = await pyproject(files);
  const of = (section: string) => forTests.filter(name => sections.get(section)?.has(name));
  return { extras: of('project.optional-dependencies'), groups: of('dependency-groups') };
}
