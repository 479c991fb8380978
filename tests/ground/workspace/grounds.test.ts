// Prepared environments: made once and whole, changed by no checkout, removed when too large.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import { createCheckout } from '../../../packages/ground/workspace/checkout.ts';
import { type Grounds, openGround } from '../../../packages/ground/workspace/grounds.ts';
import { repository, temporary } from './fixture.ts';

const signal = new AbortController().signal;

/** Fills what a ground is made of, and counts. */
function maker(text = 'as installed') {
  const made: string[] = [];
  return {
    made,
    async make(folder: string) {
      made.push(folder);
      for (const place of ['tree/node_modules/lib', 'home/.cache']) {
        await mkdir(join(folder, place), { recursive: true });
        await writeFile(join(folder, place, 'index.js'), text);
      }
    },
  };
}

const at = (folder: string, more: Partial<Grounds> = {}): Grounds => ({
  folder: join(folder, 'grounds'),
  clock: systemClock,
  ...more,
});

const project = { '.gitignore': 'node_modules/\nbuilt\n', 'index.js': '1\n' };

test('a job that writes into its home or into what is installed changes neither another job’s nor the next one’s', async () => {
  await using place = await repository(project);
  const ground = await openGround(at(place.path), 'aa', maker().make, signal);
  const open = (name: string) =>
    createCheckout({
      mirror: place.mirror.path,
      commit: place.base,
      folder: join(place.path, name),
      ground,
    });
  const files = (checkout: { tree: string; home: string }) => [
    join(checkout.tree, 'node_modules/lib/index.js'),
    join(checkout.home, '.cache/index.js'),
  ];
  const [first, beside] = [await open('first'), await open('beside')];
  // In place, as a shell's redirection does: a file that is replaced would be another one anyway.
  for (const file of files(first)) writeFileSync(file, 'by the first job', { flag: 'r+' });
  const next = await open('next');
  for (const file of [...files(beside), ...files(next)])
    expect(readFileSync(file, 'utf8')).toBe('as installed');
});

test('a checkout has the commit’s own files over what is installed, and nothing that would count as a change', async () => {
  await using place = await repository({ ...project, built: 'of the commit\n' });
  const ground = await openGround(
    at(place.path),
    'aa',
    async folder => {
      await mkdir(join(folder, 'tree'), { recursive: true });
      await mkdir(join(folder, 'home'));
      for (const name of ['built', 'index.js', 'stray']) await writeFile(join(folder, 'tree', name), 'other');
    },
    signal,
  );
  const folder = join(place.path, 'job');
  const checkout = await createCheckout({ mirror: place.mirror.path, commit: place.base, folder, ground });
  expect(readFileSync(join(checkout.tree, 'built'), 'utf8')).toBe('of the commit\n');
  expect(readFileSync(join(checkout.tree, 'index.js'), 'utf8')).toBe('1\n');
  expect(existsSync(join(checkout.tree, 'stray'))).toBe(false);
  expect(await checkout.diff()).toBe('');
});

test('a link that the commit has where something is installed leads nothing out', async () => {
  await using place = await repository({ ...project, node_modules: { link: '../../outside' } });
  const outside = join(place.path, 'outside');
  mkdirSync(outside);
  const ground = await openGround(at(place.path), 'aa', maker().make, signal);
  const folder = join(place.path, 'job');
  await createCheckout({ mirror: place.mirror.path, commit: place.base, folder, ground });
  expect(readdirSync(outside)).toEqual([]);
});

test('of several who ask at once one makes it; another key is another one', async () => {
  await using folder = await temporary();
  const { made, make } = maker();
  const open = (key: string) => openGround(at(folder.path), key, make, signal);
  const [one, two, other] = await Promise.all([open('aa'), open('aa'), open('bb')]);
  expect(one).toEqual(two);
  expect(other).not.toEqual(one);
  expect(made).toHaveLength(2);
});

test('one whose making is cut off is never used: the next makes it anew, in an empty folder', async () => {
  await using folder = await temporary();
  const script = `
    import { writeFileSync, mkdirSync } from 'node:fs';
    import { openGround } from ${JSON.stringify(join(import.meta.dirname, '../../../packages/ground/workspace/grounds.ts'))};
    const clock = { now: Date.now, sleep: async () => {} };
    await openGround({ folder: ${JSON.stringify(at(folder.path).folder)}, clock }, 'aa', async at => {
      mkdirSync(at + '/tree');
      writeFileSync(at + '/tree/half', '');
      process.kill(process.pid, 'SIGKILL');
    }, new AbortController().signal);`;
  expect(() =>
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { stdio: 'pipe' }),
  ).toThrow();
  expect(existsSync(join(folder.path, 'grounds/aa.making/tree/half'))).toBe(true);
  const { made, make } = maker();
  const ground = await openGround(at(folder.path), 'aa', make, signal);
  expect(made).toHaveLength(1);
  expect(readdirSync(ground.tree)).toEqual(['node_modules']);
});

test('one whose making fails is not there, and whoever comes next tries again', async () => {
  await using folder = await temporary();
  const fails = async () => {
    throw new Error('no such package');
  };
  await expect(openGround(at(folder.path), 'aa', fails, signal)).rejects.toThrow('no such package');
  const { made, make } = maker();
  await openGround(at(folder.path), 'aa', make, signal);
  expect(made).toHaveLength(1);
});

test('of more than there is room for those go that were used longest ago; what was used within the hour stays', async () => {
  await using folder = await temporary();
  const grounds = at(folder.path, { most: 100 });
  const { make } = maker('x'.repeat(40_000));
  const age = (key: string, hours: number) => {
    const then = Date.now() / 1000 - hours * 3600;
    utimesSync(join(grounds.folder, key), then, then);
  };
  for (const [key, hours] of [
    ['aa', 2],
    ['bb', 3],
    ['cc', 0.5],
  ] as const) {
    await openGround(grounds, key, make, signal);
    age(key, hours);
  }
  // Read again, it is the younger of the two.
  await openGround(grounds, 'bb', make, signal);
  age('bb', 1.5);
  await openGround(grounds, 'dd', make, signal);
  expect(
    readdirSync(grounds.folder)
      .filter(name => /^..$/.test(name))
      .toSorted(),
  ).toEqual(['cc', 'dd']);
});
