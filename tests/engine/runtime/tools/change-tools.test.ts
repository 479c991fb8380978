// diff and revert on a checkout: what a model sees of its changes, and how it takes those of a file back.
import { existsSync, mkdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ToolRefusal } from '../../../../src/engine/language/tool.ts';
import { changeTools } from '../../../../src/engine/runtime/tools/change-tools.ts';
import { type Checkout, createCheckout } from '../../../../packages/ground/workspace/checkout.ts';
import { repository, writeFiles } from '../../../ground/workspace/fixture.ts';

let repo: Awaited<ReturnType<typeof repository>>;
let checkout: Checkout;
let count = 0;

beforeAll(async () => {
  repo = await repository({
    'a.txt': 'one\ntwo\n',
    'src/x.ts': 'export const x = 1;\n',
    '[ab]*': 'literal\n',
    'run.sh': { executable: 'echo hi\n' },
    'inside.link': { link: 'src/x.ts' },
    'folder.link': { link: 'src' },
  });
});
afterAll(() => repo[Symbol.asyncDispose]());
beforeEach(async () => {
  const folder = join(repo.path, `c${(count += 1)}`);
  checkout = await createCheckout({ mirror: repo.mirror.path, commit: repo.base, folder });
});

const use = async (name: 'diff' | 'revert', input: object) =>
  await changeTools(checkout, () => undefined)
    .find(tool => tool.name === name)!
    .run(input, new AbortController().signal);
const read = (path: string) => readFileSync(join(checkout.tree, path), 'utf8');

describe('diff', () => {
  test('shows changed, new and deleted files, of a path or of all', async () => {
    await expect(use('diff', {})).rejects.toThrow('nothing was changed');
    await writeFiles(checkout.tree, { 'a.txt': 'one\n', 'src/new.ts': 'new\n', 'run.sh': null });
    const all = await use('diff', {});
    expect(all.match(/^[-+](?![-+]).*$/gm)).toEqual(['-two', '-echo hi', '+new']);
    expect((await use('diff', { path: 'src/' })).match(/^[-+].*$/gm)).toEqual([
      '--- /dev/null',
      '+++ b/src/new.ts',
      '+new',
    ]);
    await expect(use('diff', { path: '[ab]*' })).rejects.toThrow('nothing was changed in [ab]*');
  });

  test('of a long one shows a part, and where to go on', async () => {
    await writeFiles(checkout.tree, { 'a.txt': 'line\n'.repeat(20_000), 'z.txt': 'z\n' });
    expect(await use('diff', {})).toMatch(/\+line\n\[lines 1 to \d+ of \d+; go on with offset \d+\]$/);
    expect(await use('diff', { path: 'z.txt', offset: 7 })).toBe('+z\n[lines 7 to 7 of 7]');
  });

  test('refuses a path out of the checkout, and more than can be looked at', async () => {
    await expect(use('diff', { path: '../x' })).rejects.toThrow(ToolRefusal);
    await writeFiles(checkout.tree, { big: 'x'.repeat((32 << 20) + 1) });
    await expect(use('diff', {})).rejects.toThrow(/^diff: big has 33554433 bytes/);
  });
});

describe('revert', () => {
  test.each([
    ['changed', 'a.txt', 'other\n'],
    ['deleted', 'a.txt', null],
    ['of another mode and content', 'run.sh', 'x\n'],
    ['a link now', 'a.txt', { link: '../../outside' }],
    ['a link before', 'inside.link', 'a file\n'],
    ['with a name that is a pattern', '[ab]*', 'x\n'],
    ['whose folder is gone', 'src/x.ts', null],
  ])('a file that is %s is as it was', async (what, path, now) => {
    await writeFiles(checkout.tree, { 'b.txt': 'kept\n', [path]: now });
    if (what.includes('folder')) await writeFiles(checkout.tree, { src: null });
    expect(await use('revert', { path: `./${path}` })).toBe(`${path} is as it was`);
    await expect(use('diff', { path })).rejects.toThrow('nothing was changed');
    expect(read('b.txt')).toBe('kept\n');
    if (path === 'run.sh') expect(statSync(join(checkout.tree, path)).mode & 0o777).toBe(0o755);
    if (path === 'inside.link') expect(readlinkSync(join(checkout.tree, path))).toBe('src/x.ts');
  });

  test('a new file is deleted', async () => {
    await writeFiles(checkout.tree, { 'new/f.txt': 'x' });
    expect(await use('revert', { path: 'new/f.txt' })).toBe('deleted new/f.txt, which is new');
    expect(existsSync(join(checkout.tree, 'new/f.txt'))).toBe(false);
  });

  test('what is no file of the checkout is refused, and nothing is touched', async () => {
    await writeFiles(checkout.tree, { 'src/x.ts': 'mine\n', 'away.link': { link: '../..' } });
    mkdirSync(join(checkout.tree, 'folder'));
    const refused = (path: string) => use('revert', { path }).then(String, ({ message }: Error) => message);
    expect(await refused('src')).toBe('src is a folder; revert its files');
    expect(await refused('.')).toBe('. is a folder; revert its files');
    expect(await refused('nope')).toBe('there is no file nope, neither now nor at the beginning');
    expect(await refused('folder.link/x.ts')).toContain('name src/x.ts');
    expect(await refused('away.link/secret')).toContain('leads out of the checkout');
    expect(await refused('../a.txt')).toContain('give a path relative');
    expect(await refused('.git/config')).toContain('give a path relative');
    expect(read('src/x.ts')).toBe('mine\n');
  });
});
