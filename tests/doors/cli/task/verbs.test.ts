// The verbs of `echelon task` besides run, `echelon events`, and everything that can be wrong with a call.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import manifest from '../../../../package.json' with { type: 'json' };
import { main } from '../../../../src/doors/cli/cli.ts';
import { root, runCli } from '../run-cli.ts';
import { greeting, greets, script, taskFolder } from './fixture.ts';

const task = (cwd: string, ...args: string[]) => runCli(['task', ...args], { cwd });

describe('format', () => {
  const short = '<task><name>a</name><description>x</description></task>';
  const long = '<task name="a">\n  <description>x</description>\n</task>\n';

  test('writes what is not in canonical form, and says which files those are', async () => {
    using folder = await taskFolder({ 'p/a.xml': short, 'p/b.xml': long });
    const ran = await task(folder.path, 'format', 'p');
    expect(ran).toEqual({ code: 0, stdout: 'p/a.xml\n', stderr: '' });
    expect(readFileSync(`${folder.path}/p/a.xml`, 'utf8')).toBe(long);
    expect(await task(folder.path, 'format', '--check', 'p')).toMatchObject({ code: 0, stdout: '' });
  });

  test('--check writes nothing, and a file that is no XML is left as it is', async () => {
    using folder = await taskFolder({ 'a.xml': short, 'b.xml': '<task>' });
    expect(await task(folder.path, 'format', '--check', 'a.xml')).toMatchObject({
      code: 1,
      stdout: 'a.xml\n',
    });
    expect(readFileSync(`${folder.path}/a.xml`, 'utf8')).toBe(short);
    const broken = await task(folder.path, 'format', 'b.xml');
    expect(broken.code).toBe(1);
    expect(broken.stderr).toMatch(/^b\.xml:1:1 <task> is not closed/);
    expect(readFileSync(`${folder.path}/b.xml`, 'utf8')).toBe('<task>');
    expect((await task(folder.path, 'format', 'none.xml')).code).toBe(2);
  });
});

describe('check', () => {
  test('every program of the product is fine, and a line for people says so', async () => {
    const ran = await task(root, 'check', 'prompts');
    expect(ran).toMatchObject({ code: 0, stdout: '' });
    expect(ran.stderr).toMatch(/^\d+ programs, no problem\n$/);
  });

  test('what a program says cannot write to the terminal', async () => {
    const named = '<task type="x\u009b2J\u202e"><description>a</description></task>';
    using folder = await taskFolder({ 'p.xml': named });
    const { code, stdout } = await task(folder.path, 'check', 'p.xml');
    expect(code).toBe(1);
    expect(stdout).toContain('2J');
    expect(stdout).not.toMatch(/[\u009b\u202e]/);
  });

  test('a call finds its function in another file given, and in .github/echelon/', async () => {
    const double = (name: string) =>
      `<task type="function" name="${name}"><parameters><parameter name="x"/></parameters><body><task><description>{{x}}</description></task></body></task>`;
    const calls = (name: string) => `<task type="call" ref="${name}"><arg name="x">1</arg></task>`;
    using folder = await taskFolder({
      'a.xml': calls('given'),
      'b.xml': calls('own'),
      'given.xml': double('given'),
      '.github/echelon/own.xml': double('own'),
    });
    expect(await task(folder.path, 'check', 'a.xml', 'b.xml', 'given.xml')).toMatchObject({
      code: 0,
      stdout: '',
    });
    const alone = await task(folder.path, 'check', 'a.xml');
    expect(alone.code).toBe(1);
    expect(alone.stdout).toMatch(/^a\.xml:1:\d+ .*given/);
  });

  test('a folder, a second task of a name, and --json', async () => {
    using folder = await taskFolder({
      'p/a.xml': '<task name="x"><description>a</description></task>',
      'p/below/b.xml': '<task name="x"><description>{{item}}</description></task>',
      'p/notes.txt': 'no program',
    });
    const ran = await task(folder.path, 'check', 'p', '--json');
    expect(ran.code).toBe(1);
    const { files, errors, problems } = JSON.parse(ran.stdout);
    expect({ files, errors }).toEqual({ files: 2, errors: 1 });
    expect(problems).toMatchObject([
      {
        file: 'p/below/b.xml',
        severity: 'warning',
        message: 'a second task "x"; ref and call take the one in p/a.xml',
      },
      { file: 'p/below/b.xml', line: 1, severity: 'error' },
    ]);
  });

  test('what is wrong with a template around it is told, and does not fail it', async () => {
    using folder = await taskFolder({
      'p.xml': '<task><description>a</description></task>',
      '.github/echelon/bad.xml': '<task name="bad"><steps/></task>',
    });
    const ran = await task(folder.path, 'check', 'p.xml');
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/^\.github\/echelon\/bad\.xml:1:\d+ warning: /);
  });
});

describe('compile', () => {
  const program = '<task><description>Say hello.</description></task>';
  const wrong = '<task><descripton>Say hello.</descripton></task>';

  test('prints the program, mended after its problems were told', async () => {
    using folder = await taskFolder({
      's.json': script(
        { for: 'compile', text: wrong },
        { for: 'compile', when: 'descripton', text: program },
      ),
    });
    const args = ['compile', 'Say hello', '--script', 's.json'];
    expect(await task(folder.path, ...args)).toMatchObject({ code: 0, stdout: `${program}\n` });
    const { stdout } = await task(folder.path, ...args, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ program, warnings: [], spent: { turns: 2 } });
  });

  test('a request that cannot be met fails with the reason', async () => {
    const refusal = '<result status="FAILED"><content>nobody can fly</content></result>';
    using folder = await taskFolder({ 's.json': script({ for: 'compile', text: refusal }) });
    const ran = await task(folder.path, 'compile', 'Fly', '--script', 's.json');
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain('nobody can fly');
  });
});

describe('do', () => {
  const poem = '<task name="poem"><description>Write a poem about a whale.</description></task>';
  const needs =
    '<task name="ode"><inputs><input name="of"/></inputs><description>An ode to {{of}}.</description></task>';
  const written = '<task name="own"><description>Say hello.</description></task>';
  const fits = (name: string, score: number) =>
    `<result status="COMPLETE"><content>x</content><output name="matches">[{"name":"${name}","score":${score}}]</output></result>`;
  const replies = (name: string, score: number) =>
    script(
      { for: 'matching', text: fits(name, score) },
      { for: 'poem', text: 'O whale' },
      { for: 'ode', when: 'An ode to spring.', text: 'O spring' },
      { for: 'compile', text: written },
      { for: 'own', text: 'hello' },
    );

  test.each<[what: string, matches: [name: string, score: number], of: string, says: string, by: object]>([
    ['the template that fits best', ['poem', 0.9], '', 'O whale', { template: { name: 'poem' } }],
    [
      'a template that takes what is given',
      ['ode', 0.9],
      'spring',
      'O spring',
      { template: { name: 'ode' } },
    ],
    ['a program where that does only a part', ['poem', 0.4], '', 'hello', { program: written }],
    ['a program where that needs more', ['ode', 1], '', 'hello', { program: written }],
  ])('%s', async (_, [name, score], of, says, by) => {
    using folder = await taskFolder({
      '.github/echelon/poem.xml': poem,
      '.github/echelon/ode.xml': needs,
      's.json': replies(name, score),
    });
    const args = ['do', 'write me something', '--script', 's.json', '--json'];
    const ran = await task(folder.path, ...args, ...(of ? ['--input', `of=${of}`] : []));
    const turns = 'program' in by ? 3 : 2;
    expect(JSON.parse(ran.stdout)).toMatchObject({ content: says, notes: { ...by, dataUsage: { turns } } });
  });
});

test('index: a line for each file, and with --json an entry', async () => {
  using folder = await taskFolder({ 'a.ts': 'export const a = 1;\n', 'b.md': '# B\n' });
  const { code, stdout, stderr } = await task(folder.path, 'index', '.', '--no-cache');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^a\.ts: TypeScript.*\nb\.md: Markdown.*\n$/);
  const { entries, files } = JSON.parse(
    (await task(folder.path, 'index', '.', '--no-cache', '--json')).stdout,
  );
  expect(files).toBe(2);
  expect(entries).toMatchObject([
    { path: 'a.ts', bytes: 20, metadata: expect.stringContaining('TypeScript') },
    { path: 'b.md', bytes: 4 },
  ]);
});

test('index: what is kept is not read again', async () => {
  using folder = await taskFolder({ 'a.ts': 'export const a = 1;\n', 'b.md': '# B\n' });
  execFileSync('git', ['init', '--quiet', folder.path]);
  const counts = async (...more: string[]) =>
    JSON.parse((await task(folder.path, 'index', '.', '--json', ...more)).stdout);
  expect(await counts()).toMatchObject({ files: 2, read: 2, kept: 0, removed: 0, notes: [] });
  expect(await counts()).toMatchObject({ files: 2, read: 0, kept: 2, removed: 0, notes: [] });
  expect(await counts('--no-cache')).toMatchObject({ read: 2 });
});

test('--folder: check with the library of another folder', async () => {
  using folder = await taskFolder({
    'a.xml': '<task type="call" ref="own"><arg name="x">1</arg></task>',
    'other/.github/echelon/own.xml':
      '<task type="function" name="own"><description>Tell the weather.</description><parameters><parameter name="x"/></parameters><body><task><description>{{x}}</description></task></body></task>',
  });
  expect((await task(folder.path, 'check', 'a.xml')).code).toBe(1);
  expect(await task(folder.path, 'check', 'a.xml', '--folder', 'other')).toMatchObject({
    code: 0,
    stdout: '',
  });
  const gone = await task(folder.path, 'check', 'a.xml', '--folder', 'gone');
  expect(gone).toMatchObject({ code: 2, stdout: '' });
  expect(gone.stderr).toContain('--folder gone: there is no such folder');
});

describe('--json is one object on stdout however it ends', () => {
  test.each<{ args: string[]; code: number; says: unknown }>([
    {
      args: ['run', 'bad.xml', '--jsn', '--budget', 'lots', '--input', 'x', '--journal', 'no/j'],
      code: 2,
      says: {
        error: { message: 'called wrongly; nothing was done' },
        problems: [
          'unknown option --jsn; did you mean --json?',
          '--journal no/j: there is no folder no',
          '--input x: write it as name=text, name=@file or name:=json',
          expect.stringContaining('there is no model'),
          '--budget lots: not an amount of USD above 0',
          expect.stringMatching(/^bad\.xml:1:7 /),
        ],
      },
    },
    {
      args: ['run', 'p.xml', '--folder', '.', '--model', 'gpt'],
      code: 2,
      says: {
        problems: [
          expect.stringContaining('there is no model'),
          expect.stringContaining('unknown model gpt'),
          'the input who is missing (p.xml:2:11 declares it)',
        ],
      },
    },
    { args: ['run', 'p.xml', '--folder', 'gone', '--budget', '0'], code: 2, says: { error: {} } },
    { args: ['compile', '--budget', '0'], code: 2, says: { error: {} } },
    { args: ['check', '--nothing'], code: 2, says: { error: {} } },
    { args: ['index', 'gone'], code: 2, says: { problems: ['gone: there is no such folder'] } },
    {
      args: ['run', 'p.xml', '--input', 'who=Ada', '--script', 'none.json'],
      code: 1,
      says: { error: { code: 'TASK_FAILURE' } },
    },
  ])('$args', async ({ args, code, says }) => {
    using folder = await taskFolder({
      'p.xml': greeting,
      'none.json': script(),
      'bad.xml': '<task><descripton>x</descripton></task>',
    });
    const ran = await runCli(['task', ...args, '--json'], { cwd: folder.path });
    expect(ran.code, ran.stderr).toBe(code);
    expect(JSON.parse(ran.stdout)).toMatchObject(says as object);
    expect(ran.stderr).not.toBe('');
  });
});

test('events lists each with its fields, and --version is the version of the package', async () => {
  const events = await runCli(['events']);
  expect(events.stdout).toMatch(/model_reply +a model answered\n +task, turn, text/);
  expect(await runCli(['--version'])).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
});

describe('a call that is wrong', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  /** In this process: nothing is done before the call is checked. */
  async function wrong(args: string[], cwd: string): Promise<{ code: number; said: string }> {
    const said = vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.spyOn(process, 'cwd').mockReturnValue(cwd);
    vi.stubEnv('ANTHROPIC_API_KEY', '');
    return { code: await main(args), said: said.mock.calls.flat().join('\n') };
  }

  const run = (...args: string[]) => ['task', 'run', ...args];
  test.each<{ args: string[]; says: string[] }>([
    { args: ['task'], says: ['say what to do', '  run '] },
    { args: ['task', 'rum'], says: ['unknown verb rum; did you mean "run"?'] },
    { args: ['task', 'constructor'], says: ['unknown verb constructor'] },
    { args: ['task', 'check'], says: ['name at least one file or folder to check'] },
    { args: ['task', 'check', '--jsn', 'x.xml'], says: ['unknown option --jsn; did you mean --json?'] },
    {
      args: run(),
      says: ['name the program: a file, or a registered task', 'there is no model: set ANTHROPIC_API_KEY'],
    },
    {
      args: run('P', 'more', '--script', 'S'),
      says: ['unexpected argument more', 'the input who is missing (P:2:11 declares it)'],
    },
    { args: run('gone.xml', '--script', 'S'), says: ['gone.xml: not found'] },
    {
      args: run('compil', '--script', 'S'),
      says: ['there is no such file, and no task is registered as "compil"; did you mean "compile"?'],
    },
    {
      args: run('P', '--script', 'S', '--input', 'wo=Ada'),
      says: ['the program has no input wo; did you mean "who"?', 'the input who is missing'],
    },
    {
      args: run('P', '--script', 'S', '--input', 'Ada'),
      says: ['--input Ada: write it as name=text, name=@file or name:=json'],
    },
    {
      args: run('P', '--script', 'S', '--input', 'who=a', '--input', 'who=b'),
      says: ['--input who: is given twice'],
    },
    {
      args: run('P', '--script', 'S', '--input', 'who=@gone.txt'),
      says: ['--input who: gone.txt: not found'],
    },
    { args: run('P', '--script', 'S', '--input', 'who:=Ada'), says: ['--input who: Ada is not JSON'] },
    { args: run('P', '--script', 'gone.json'), says: ['--script gone.json: not found'] },
    { args: run('P', '--script', 'P'), says: ['--script P:1:1: not valid JSON: '] },
    { args: run('P', '--script', 'S', '--model', 'small'), says: ['--script goes without --model'] },
    {
      args: run('P', '--model', 'claude-opus-5-6'),
      says: ['unknown model claude-opus-5-6; did you mean "claude-opus-5-5"'],
    },
    { args: run('P', '--script', 'S', '--budget', '0'), says: ['--budget 0: not an amount of USD above 0'] },
    { args: run('P', '--script', 'S', '--folder', 'gone'), says: ['--folder gone: there is no such folder'] },
    { args: run('P', '--script', 'S', '--script', 'S'), says: ['--script is given twice'] },
    { args: run('BAD', '--script', 'S'), says: ['BAD:1:', 'descripton'] },
    { args: ['task', 'compile', '--script', 'S'], says: ['say in quotes what the program is to do'] },
    {
      args: ['task', 'compile', 'Say', 'hello', '--script', 'S'],
      says: ['unexpected argument hello; put the request into quotes'],
    },
    { args: ['task', 'index'], says: ['name the folder to index'] },
    { args: ['task', 'index', 'a', 'b'], says: ['unexpected argument b'] },
    { args: ['events', 'all'], says: ['unexpected argument all'] },
  ])('$args', async ({ args, says }) => {
    using folder = await taskFolder({
      'p.xml': greeting,
      's.json': greets,
      'bad.xml': '<task><descripton>x</descripton></task>',
    });
    const names: Record<string, string> = { P: 'p.xml', S: 's.json', BAD: 'bad.xml' };
    const place = (text: string) => text.replace(/\b(P|S|BAD)\b/g, name => folder.at(names[name]!));
    const { code, said } = await wrong(
      args.map(each => (each in names ? place(each) : each)),
      folder.path,
    );
    expect(code, said).toBe(2);
    for (const words of says) expect(said).toContain(place(words));
  });
});
