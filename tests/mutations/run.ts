// Tries the mutations of list.ts: `node tests/mutations/run.ts [number ...]`; `--check` only looks that each still fits.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Mutation, mutations } from './list.ts';

const root = resolve(import.meta.dirname, '../..');
/** Folders that tests never read, or that are linked: the copy is small. */
const left = new Set(['node_modules', '.git', 'coverage', 'dist']);

function unfit([file, part, , ...tests]: Mutation): string | undefined {
  const gone = [file, ...tests].find(path => !existsSync(join(root, path)));
  if (gone !== undefined) return `there is no ${gone}`;
  const times = readFileSync(join(root, file), 'utf8').split(part).length - 1;
  return times === 1 ? undefined : `the part stands there ${times} times`;
}

/** A copy of the working tree, in which one mutation at a time is made. */
function copy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-mutations-'));
  cpSync(root, folder, { recursive: true, filter: path => !left.has(path.slice(root.length + 1)) });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function isCaught(folder: string, [file, part, by, ...tests]: Mutation): boolean {
  const path = join(folder, file);
  const before = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    before.replace(part, () => by),
  );
  try {
    const options = { cwd: folder, env: { ...process.env, CI: '1' } };
    const args = ['vitest', 'run', '--maxWorkers=1', '--bail=1', ...tests];
    return spawnSync('npx', args, options).status !== 0;
  } finally {
    writeFileSync(path, before);
  }
}

const wanted = process.argv.slice(2);
const chosen = [...mutations.entries()].filter(([at]) => {
  const numbers = wanted.filter(each => each !== '--check');
  return numbers.length === 0 || numbers.includes(String(at + 1));
});
const problems: string[] = [];
const folder = wanted.includes('--check') ? undefined : copy();
try {
  for (const [at, mutation] of chosen) {
    const name = `${at + 1} ${mutation[0]}: ${mutation[1]}`;
    const why = unfit(mutation) ?? (folder && !isCaught(folder, mutation) ? 'not caught' : undefined);
    if (why !== undefined) problems.push(`${name}: ${why}`);
    console.log(`${name}: ${why ?? (folder ? 'caught' : 'fits')}`);
  }
} finally {
  if (folder !== undefined) rmSync(folder, { recursive: true });
}
console.log(`${chosen.length - problems.length} of ${chosen.length}`);
process.exitCode = problems.length > 0 ? 1 : 0;
