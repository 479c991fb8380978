// Artifacts: what an upload takes and a download brings, as GitHub's own actions have it, and nothing from elsewhere.
import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { artifactFile } from '../../../packages/forge/runner/artifact-store.ts';
import { writeZip } from '../../../packages/forge/runner/zip.ts';
import { openRunner, type TestRunner } from './lone-runner.ts';

let opened: TestRunner | undefined;
afterEach(async () => {
  await opened?.[Symbol.asyncDispose]();
  opened = undefined;
});
const open = () => (opened = openRunner());

const upload = (inputs: Record<string, string>) => ({
  id: 'up',
  uses: 'actions/upload-artifact@v7',
  with: inputs,
});
const download = (inputs: Record<string, string>) => ({ uses: 'actions/download-artifact@v8', with: inputs });

const filesIn = (zip: string): string[] =>
  execFileSync('unzip', ['-Z1', zip], { env: { LC_ALL: 'C.UTF-8', PATH: '/usr/bin:/bin' } })
    .toString()
    .trim()
    .split('\n');

/** The names in the newest artifact. */
function names(runner: TestRunner): string[] {
  const newest = runner.core.db.the<{ id: number }>('SELECT max(id) AS id FROM artifacts');
  return filesIn(artifactFile(runner.core, newest.id)).sort();
}

const tree = {
  run: 'mkdir -p out/deep out/.secret && echo a > out/a.txt && echo b > out/deep/b.log && echo c > out/.c && echo d > out/.secret/d && echo e > e.txt',
};

describe('an upload takes', () => {
  test.each<[path: string, found: string[], more?: Record<string, string>]>([
    ['out', ['a.txt', 'deep/b.log']],
    ['out/', ['a.txt', 'deep/b.log']],
    ['./out/**', ['a.txt', 'deep/b.log']],
    ['out', ['.c', '.secret/d', 'a.txt', 'deep/b.log'], { 'include-hidden-files': 'true' }],
    ['out/a.txt', ['a.txt']],
    ['out/deep', ['b.log']],
    ['out/*.txt', ['a.txt']],
    ['out\n!out/deep', ['a.txt']],
    ['out\n!out/deep\nout/deep/b.log', ['out/a.txt', 'out/deep/b.log'].map(name => name.slice(4))],
    ['out/a.txt\ne.txt', ['e.txt', 'out/a.txt']],
    ['out/.secret', [], {}],
    ['${{ github.workspace }}/e.txt', ['e.txt']],
    ['${{ runner.temp }}/kept', ['x']],
  ])('of %j', async (path, found, more = {}) => {
    const runner = open();
    const { conclusion } = await runner.run([
      tree,
      { run: 'mkdir "$RUNNER_TEMP/kept"; echo x > "$RUNNER_TEMP/kept/x"' },
      upload({ name: 'one', path, ...more }),
    ]);
    expect(conclusion).toBe('success');
    if (found.length === 0) expect(runner.core.db.count('artifacts')).toBe(0);
    else expect(names(runner)).toEqual(found);
  });

  test('links as the files that they lead to; broken ones and rings not', async () => {
    const runner = open();
    await runner.run([
      tree,
      { run: 'cd out && ln -s a.txt link && ln -s deep folder && ln -s none broken && ln -s . ring' },
      upload({ path: 'out' }),
    ]);
    expect(names(runner)).toEqual(['a.txt', 'deep/b.log', 'folder/b.log', 'link']);
  });
});

describe('an upload', () => {
  test('says what it made', async () => {
    const ran = await open().run({
      outputs: {
        id: '${{ steps.up.outputs.artifact-id }}',
        digest: '${{ steps.up.outputs.artifact-digest }}',
      },
      steps: [tree, upload({ path: 'out' })],
    });
    expect(ran.outputs).toEqual({
      id: expect.stringMatching(/^\d+$/),
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test.each<[found: string | undefined, conclusion: string, remarks: number]>([
    [undefined, 'success', 1],
    ['warn', 'success', 1],
    ['ignore', 'success', 0],
    ['error', 'failure', 1],
  ])('of nothing, with if-no-files-found %s', async (found, conclusion, remarks) => {
    const more: Record<string, string> = found === undefined ? {} : { 'if-no-files-found': found };
    const ran = await open().run([upload({ path: 'none', ...more })]);
    expect([ran.conclusion, ran.remarks.length]).toEqual([conclusion, remarks]);
  });

  test('under a name that is taken is refused, unless it is to take its place', async () => {
    const runner = open();
    await runner.run([tree, upload({ path: 'out/a.txt' })]);
    const second = await runner.run([tree, upload({ path: 'e.txt' })]);
    expect([second.conclusion, second.remarks[0]?.message]).toEqual([
      'failure',
      expect.stringMatching(/409.*already exists/),
    ]);
    expect(names(runner)).toEqual(['a.txt']);
    await runner.run([tree, upload({ path: 'e.txt', overwrite: 'true' })]);
    expect(names(runner)).toEqual(['e.txt']);
    expect(readdirSync(join(runner.core.folder, 'actions', 'artifacts'))).toHaveLength(1);
  });

  test('beyond 500 in a run is refused', async () => {
    const runner = open();
    const row = { run_id: 1, attempt: 1, size: 0, digest: '', created_at: '', expires_at: '' };
    for (let n = 0; n < 500; n++) runner.core.db.insert('artifacts', { ...row, name: `n${n}` });
    const { remarks } = await runner.run([tree, upload({ path: 'out' })]);
    expect(remarks[0]?.message).toBe('A run has 500 artifacts at most.');
  });

  test.each(['a/b', 'a:b', 'a\\b', 'a*'])('under the name %s is refused', async name => {
    const { conclusion, remarks } = await open().run([tree, upload({ path: 'out', name })]);
    expect([conclusion, remarks[0]?.message]).toEqual([
      'failure',
      expect.stringMatching(/name is not valid/),
    ]);
  });

  test('with an input that the forge does not have is refused', async () => {
    const { remarks } = await open().run([tree, upload({ path: 'out', archive: 'false' })]);
    expect(remarks[0]?.message).toMatch(/The input "archive" is not supported here/);
  });
});

describe('a download', () => {
  const show = { run: 'find . -type f | sort | while read f; do echo "$f=$(cat "$f")"; done' };
  const two = [tree, upload({ name: 'part-a', path: 'out' }), upload({ name: 'part-b', path: 'e.txt' })];

  test.each<[what: string, inputs: Record<string, string>, files: string[]]>([
    ['one by name', { name: 'part-a' }, ['./a.txt=a', './deep/b.log=b']],
    ['one by name to a folder', { name: 'part-b', path: 'in/here' }, ['./in/here/e.txt=e']],
    ['all, each in its folder', {}, ['./part-a/a.txt=a', './part-a/deep/b.log=b', './part-b/e.txt=e']],
    ['those of a pattern', { pattern: '*-b', path: 'x' }, ['./x/e.txt=e']],
    [
      'all together',
      { pattern: 'part-*', 'merge-multiple': 'true' },
      ['./a.txt=a', './deep/b.log=b', './e.txt=e'],
    ],
    ['none of a pattern', { pattern: 'z*' }, []],
  ])('%s', async (_what, inputs, files) => {
    const runner = open();
    await runner.run(two);
    const { log, conclusion } = await runner.run([download(inputs), show]);
    expect([conclusion, log.filter(line => line.startsWith('./'))]).toEqual(['success', files]);
  });

  test('of a name that is not there fails', async () => {
    const { conclusion, remarks } = await open().run([download({ name: 'none' })]);
    expect([conclusion, remarks[0]?.message]).toEqual([
      'failure',
      expect.stringMatching(/Artifact not found for name: none/),
    ]);
  });

  test('of an artifact that was damaged fails', async () => {
    const runner = open();
    await runner.run(two);
    const [first] = runner.core.db.all<{ id: number }>('SELECT id FROM artifacts ORDER BY id');
    writeFileSync(artifactFile(runner.core, first?.id ?? 0), 'other');
    const { remarks } = await runner.run([download({ name: 'part-a' })]);
    expect(remarks[0]?.message).toMatch(/Digest validation failed/);
  });
});

describe('zip files', () => {
  test('are such that other programs read them', async () => {
    const runner = open();
    const path = join(runner.root, 'a.zip');
    const big = Buffer.alloc(900_000, 'abcdefg');
    const sources = [
      { name: 'ä/b.txt', chunks: () => [Buffer.from('text')] },
      { name: 'empty', chunks: () => [] },
      { name: 'big', chunks: () => [big.subarray(0, 300_000), big.subarray(300_000)] },
    ];
    const { size, sha256 } = await writeZip(path, sources);
    expect(execFileSync('unzip', ['-t', path]).toString()).toMatch(/No errors detected/);
    expect(execFileSync('sha256sum', [path]).toString().split(' ')[0]).toBe(sha256);
    expect(execFileSync('stat', ['-c', '%s', path]).toString().trim()).toBe(String(size));
    expect(filesIn(path)).toEqual(['ä/b.txt', 'empty', 'big']);
    expect(
      ['ä/b.txt', 'empty', 'big'].map(name => execFileSync('unzip', ['-p', path, name]).toString()),
    ).toEqual(['text', '', big.toString()]);
  });

  test.each([0, 1, 9])('of level %i are read again', async level => {
    const path = join(open().root, 'a.zip');
    await writeZip(path, [{ name: 'a', chunks: () => [Buffer.alloc(100_000, 'xy')] }], level);
    expect(execFileSync('unzip', ['-p', path]).equals(Buffer.alloc(100_000, 'xy'))).toBe(true);
  });
});
