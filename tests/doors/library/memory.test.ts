// The memory of a folder as the package gives it: the index read and replaced as a whole, and the context of a task.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  createTasks,
  type GivenEntry,
  type Memory,
  parseScript,
  type RelevantContextRequest,
  scriptedModel,
  systemClock,
  TaskError,
  type Tasks,
} from '../../../src/doors/library/library.ts';
import type { ScriptReply } from '../../../src/engine/models/script.ts';
import { git } from '../../../packages/ground/workspace/git.ts';
import { contextFor } from './examples/folder-memory.ts';
import { script, taskFolder } from '../cli/task/fixture.ts';

const texts = {
  'src/cart.ts': '// The shopping cart.\n',
  'src/login.ts': '// Signs people in.\n',
  'src/empty.ts': '',
  'lib/empty.ts': '',
};

const over = (of: string | { memory?: Memory }, ...replies: ScriptReply[]): Tasks =>
  createTasks({
    model: scriptedModel(parseScript(script(...replies), 's.json'), { clock: systemClock }),
    ...(typeof of === 'string' ? { folder: of } : of),
  });

async function repositoryFolder(files: Record<string, string> = texts) {
  const folder = await taskFolder(files);
  await git(['init', '--quiet', '--template=', folder.path], {});
  return { folder, kept: folder.at('.git/echelon-index.json') };
}

const linesOf = async (tasks: Tasks) =>
  Object.fromEntries((await tasks.getGlobalIndex()).map(({ path, metadata }) => [path, metadata]));

const own = Object.keys(texts).map(path => ({ path, metadata: `what ${path} is for` }));
const ownLines = Object.fromEntries(own.map(({ path, metadata }) => [path, metadata]));

async function refusal(work: Promise<unknown>): Promise<TaskError> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (error instanceof TaskError) return error;
  throw new Error(`not refused: ${String(error)}`);
}

describe('the index', () => {
  test('is read whole, and what is done to the copy changes nothing', async () => {
    using folder = await taskFolder(texts);
    await using tasks = closing(over(folder.path));
    const index = await tasks.getGlobalIndex();
    expect(index.map(({ path }) => path)).toEqual(Object.keys(texts).sort());
    Object.assign(index[0]!, { path: 'x', metadata: 'x' });
    expect((await tasks.getGlobalIndex())[0]).toMatchObject({ path: 'lib/empty.ts' });
  });

  test('is replaced whole, for the next process too, and a line stays while its file does', async () => {
    const { folder, kept } = await repositoryFolder();
    using _ = folder;
    await using first = closing(over(folder.path));
    const read = await first.getGlobalIndex();
    await first.updateGlobalIndex(read.map(entry => ({ ...entry, metadata: `what ${entry.path} is for` })));
    expect(await linesOf(first)).toEqual(ownLines);
    // Leftover of a process that was killed while it saved.
    writeFileSync(`${kept}.0123456789ab.part`, '{"format":');
    writeFileSync(folder.at('src/cart.ts'), '// Another cart.\n');
    await using second = closing(over(folder.path));
    expect(await linesOf(second)).toEqual({
      ...ownLines,
      'src/cart.ts': 'TypeScript, 17 B: Another cart',
    });
  });

  test('without a file to be kept in stays through indexing again', async () => {
    using folder = await taskFolder(texts);
    await using tasks = closing(over(folder.path, { for: 'look', text: 'seen' }));
    await tasks.updateGlobalIndex(own);
    const again = '<context_management><rebuild_memory>true</rebuild_memory></context_management>';
    await tasks.executeTask(`<task name="look"><description>Look.</description>${again}</task>`);
    expect(await linesOf(tasks)).toEqual(ownLines);
  });

  test('is before or after for those who read meanwhile, and the last update holds', async () => {
    using folder = await taskFolder(texts);
    await using tasks = closing(over(folder.path));
    const before = await linesOf(tasks);
    const updates = ['one', 'two', 'three'].map(async word => {
      await tasks.updateGlobalIndex(own.map(({ path }) => ({ path, metadata: word })));
    });
    const seen = await Promise.all(Array.from({ length: 20 }, () => linesOf(tasks)));
    await Promise.all(updates);
    const whole = [before, ...['one', 'two', 'three'].map(word => mapped(before, word))];
    for (const each of seen) expect(whole).toContainEqual(each);
    expect(await linesOf(tasks)).toEqual(mapped(before, 'three'));
  });

  const one = { path: 'src/cart.ts', metadata: 'the cart' };
  const getter = Object.defineProperty({ metadata: 'x' }, 'path', {
    enumerable: true,
    get: () => {
      throw new Error('run');
    },
  });
  const proxy = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error('trapped');
      },
    },
  );
  test.each<[string, unknown, string]>([
    ['no list', { 'src/cart.ts': 'x' }, 'expected array'],
    [
      'a file that is not there',
      [one, { path: 'src/login.js', metadata: 'x' }],
      'did you mean "src/login.ts"?',
    ],
    ['a path that leads out', [one, { path: '../secret', metadata: 'x' }], 'there is no file ../secret'],
    ['a file twice', [one, one], 'src/cart.ts has an entry already'],
    ['a line that is two', [{ ...one, metadata: 'a\nb' }], '[0].metadata'],
    ['a line that is no text', [one, { ...one, metadata: 7 }], '[1].metadata'],
    ['a line that is too long', [{ ...one, metadata: 'x'.repeat(601) }], '[0].metadata'],
    ['what it does not have', [{ ...one, score: 1 }], 'score'],
    ['another content', [{ ...one, digest: 'of another time' }], 'has changed since its entry was read'],
    ['a getter', [one, getter], '[1].path is computed by a getter'],
    ['inherited members', [Object.create(one)], '[0] is no plain object'],
    ['a prototype of its own', [JSON.parse('{"__proto__": {}, "path": "a", "metadata": ""}')], '__proto__'],
    ['what throws when it is read', [one, proxy], 'it cannot be read'],
  ])('is not updated with %s, and nothing of it is', async (_name, entries, why) => {
    const { folder, kept } = await repositoryFolder();
    using _folder = folder;
    await using tasks = closing(over(folder.path));
    await tasks.updateGlobalIndex(own);
    const before = readFileSync(kept, 'utf8');
    const error = await refusal(tasks.updateGlobalIndex(entries as GivenEntry[]));
    expect(error.code).toBe('INVALID_INPUT');
    expect(error.message).toContain(why);
    expect(await linesOf(tasks)).toEqual(ownLines);
    expect(readFileSync(kept, 'utf8')).toBe(before);
  });

  test('is as it was where it cannot be saved, and the next update is not held up', async () => {
    const { folder, kept } = await repositoryFolder();
    using _ = folder;
    await using tasks = closing(over(folder.path));
    const before = await linesOf(tasks);
    rmSync(kept);
    mkdirSync(`${kept}/in-the-way`, { recursive: true });
    await expect(tasks.updateGlobalIndex(own)).rejects.toThrow(/EISDIR|ENOTEMPTY|directory/);
    expect(await linesOf(tasks)).toEqual(before);
    rmSync(kept, { recursive: true });
    await tasks.updateGlobalIndex(own);
    expect(await linesOf(tasks)).toEqual(ownLines);
  });

  test('is not made for one who has given up, and there is none without a folder or after the end', async () => {
    using folder = await taskFolder(texts);
    const reason = new Error('enough');
    const tasks = over(folder.path);
    await expect(tasks.updateGlobalIndex(own, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect((await linesOf(tasks))['src/cart.ts']).toMatch(/^TypeScript/);
    await tasks.close();
    await expect(tasks.getGlobalIndex()).rejects.toThrow('was closed');
    await using nowhere = closing(over({}));
    expect((await refusal(nowhere.getGlobalIndex())).message).toContain(
      'give createTasks one (option folder or memory)',
    );
    expect(existsSync(folder.at('echelon-index.json'))).toBe(false);
  });
});

describe('the context of a task', () => {
  test('has the files of a memory of its own, without a folder', async () => {
    const text = 'The shopping cart lives on the moon.';
    const memory = {
      index: async () => [{ path: 'wiki/cart', digest: '1', bytes: text.length, metadata: 'the cart' }],
      refresh: async () => {},
      read: async () => text,
    };
    await using tasks = closing(over({ memory }, { for: 'say', when: text, text: 'seen' }));
    const { matches } = await tasks.getRelevantContextFor({ taskText: 'Move the cart.' });
    expect(matches).toEqual([['wiki/cart', 'the cart']]);
    const say = `<task name="say"><description>Where is it?</description>
      <context_management><inherit_context>none</inherit_context></context_management></task>`;
    expect((await tasks.executeTask(say)).content).toBe('seen');
    expect(await refusal(tasks.updateGlobalIndex(own))).toMatchObject({ code: 'INVALID_INPUT' });
  });

  const filler = (word: string) => `// ${word}\n${'some words\n'.repeat(8000)}`;
  const large = { 'src/cart.ts': filler('The cart.'), 'src/login.ts': filler('Passwords.') };

  test('has all files that fit, and one of its own goes on from it', async () => {
    using folder = await taskFolder(texts);
    await using tasks = closing(over(folder.path));
    const context = await tasks.getRelevantContextFor({ taskText: 'mend the cart' });
    expect(context.matches.map(([path]) => path).sort()).toEqual(Object.keys(texts).sort());
    expect(context.context).toContain('## src/login.ts\n```\n// Signs people in.');
    const inheritedContext = {
      ...context,
      matches: context.matches.filter(([path]) => path === 'src/cart.ts'),
    };
    const next = await tasks.getRelevantContextFor({
      ...{ taskText: 'mend the cart', inheritedContext, previousOutputs: 'It was broken.' },
    });
    expect(next.matches).toEqual([['src/cart.ts', 'TypeScript, 22 B: The shopping cart']]);
    expect(next.context).toMatch(/^## src\/cart\.ts\n[\s\S]*\n\nIt was broken\.$/);
    expect(next.context).not.toContain('Signs people in');
  });

  test('has the chosen ones where not all fit, by lines that were given, beside what is known', async () => {
    using folder = await taskFolder(large);
    const text = '{"matches": [{"path": "src/login.ts", "relevance": 0.9, "why": "it is"}]}';
    await using tasks = closing(
      over(folder.path, { for: 'associative_memory', when: 'the door of the house', text }),
    );
    await tasks.updateGlobalIndex([
      { path: 'src/cart.ts', metadata: 'the cart' },
      { path: 'src/login.ts', metadata: 'the door of the house' },
    ]);
    const { context, matches } = await tasks.getRelevantContextFor({
      taskText: 'let people in',
      inheritedContext: 'The house rules.',
    });
    expect(matches).toEqual([['src/login.ts', 'the door of the house']]);
    expect(context).toMatch(/^The house rules\.\n\n## src\/login\.ts/);
  });

  test('fails with its reason where the choice failed twice', async () => {
    using folder = await taskFolder(large);
    const reply = { for: 'associative_memory', text: 'no list', times: 9 };
    await using tasks = closing(over(folder.path, reply));
    const error = await refusal(tasks.getRelevantContextFor({ taskText: 'let people in' }));
    expect(error.detail).toMatchObject({ code: 'TASK_FAILURE', reason: 'context_generation_failure' });
    expect(error.notes.dataUsage.turns).toBeGreaterThan(1);
  });

  const taskText = 'x';
  const throwing = {
    get taskText(): string {
      throw new Error('run');
    },
  };
  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'expected object'],
    ['no text', {}, 'taskText'],
    ['an empty text', { taskText: '' }, 'taskText'],
    ['a blank text', { taskText: ' \n\t' }, 'is blank'],
    ['a text object', { taskText: new String('x') }, 'taskText is no plain object'],
    ['too much text', { taskText: 'x'.repeat((4 << 20) + 1) }, 'taskText'],
    ['outputs that are no text', { taskText, previousOutputs: ['a'] }, 'previousOutputs'],
    ['a context that is a number', { taskText, inheritedContext: 7 }, 'inheritedContext'],
    ['a context without a text', { taskText, inheritedContext: { matches: [] } }, 'inheritedContext.context'],
    [
      'matches that are none',
      { taskText, inheritedContext: { context: '', matches: ['a.ts'] } },
      'inheritedContext.matches[0]',
    ],
    [
      'too many matches',
      { taskText, inheritedContext: { context: '', matches: Array.from({ length: 100_001 }) } },
      '100000 are allowed',
    ],
    ['what it does not have', { taskText, max_results: 5 }, 'max_results'],
    ['a symbol', { taskText, [Symbol('s')]: 5 }, 'Symbol(s)'],
    ['a prototype', JSON.parse('{"taskText": "x", "__proto__": {"a": 1}}'), '__proto__'],
    ['an inherited text', Object.create({ taskText }), 'is no plain object'],
    ['a getter', throwing, 'taskText is computed by a getter'],
    ['a function', () => taskText, 'is a function'],
    ['itself within itself', deep(), 'nested deeper'],
  ])('is refused to a request that is or has %s, before anything is asked', async (_name, request, why) => {
    using folder = await taskFolder(texts);
    await using tasks = closing(over(folder.path));
    const error = await refusal(tasks.getRelevantContextFor(request as RelevantContextRequest));
    expect(error.code).toBe('INVALID_INPUT');
    expect(error.message).toContain(why);
    expect(error.message.length).toBeLessThan(2100);
  });
});

test("its page's example stands there as it is, and runs", async () => {
  const example = readFileSync(join(import.meta.dirname, 'examples/folder-memory.ts'), 'utf8');
  expect(readFileSync('docs/library.md', 'utf8')).toContain(`\`\`\`ts\n${example}\`\`\``);
  using folder = await taskFolder({ ...texts, 'src/cart.test.ts': '' });
  await using tasks = closing(over(folder.path));
  const { context, matches } = await contextFor(tasks, 'the cart loses what is put into it');
  expect(Object.fromEntries(matches)['src/cart.test.ts']).toBe('slow: needs a database');
  expect(context).toContain('Nobody has reproduced it.');
});

function deep(): unknown {
  const request: Record<string, unknown> = { taskText: 'x' };
  request['inheritedContext'] = request;
  return request;
}

const mapped = (index: Record<string, string>, word: string) =>
  Object.fromEntries(Object.keys(index).map(path => [path, word]));

const closing = (tasks: Tasks) => Object.assign(tasks, { [Symbol.asyncDispose]: () => tasks.close() });
