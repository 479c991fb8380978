// Tries the wings that stand by themselves where the rest of the house is absent (`npm run wings`): in a copy of the
// repository that has only the wing and what it may import, its types are checked, its one way in is bundled, and its
// tests run, with those of what it stands on. `--quick` leaves out the tests.
import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundled, root } from '../../action/build.ts';
import { wings } from './check.ts';

/** The one way into each wing that stands by itself. */
export const entries: Readonly<Record<string, string>> = {
  engine: 'src/engine/engine.ts',
  forge: 'packages/forge/index.ts',
};

/** The tool's output if a step fails with only `wing` of the repository in `from`; '' if nothing fails. */
export async function failsAlone(wing: string, from: string, steps: readonly Step[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), `echelon-${wing}-`));
  // Some tests run a program of it as another user.
  chmodSync(folder, 0o755);
  try {
    copyWing(wing, from, folder);
    const said = await Promise.all(steps.map(step => step(folder, wing).then(() => '', outputOf)));
    return said.filter(each => each !== '').join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Step = (folder: string, wing: string) => Promise<unknown>;

const run = promisify(execFile);
const tool = (name: string, ...args: string[]): Step => {
  const program = join(root, 'node_modules/.bin', name);
  return folder => run(program, args, { cwd: folder, maxBuffer: 64 * 1024 * 1024 });
};

export const quick: readonly Step[] = [
  tool('tsc', '--noEmit'),
  (folder, wing) => bundled(wing, entries[wing] ?? '', folder),
];
const tests = tool('vitest', 'run', '--reporter=dot');

function outputOf(error: Error & { stdout?: string; stderr?: string }): string {
  return `${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`;
}

/** Everything outside of src/, packages/ and tests/, of these the wing and what it may import, and what all tests share. */
function copyWing(wing: string, from: string, folder: string): void {
  const rooms = [wing, ...(wings[wing] ?? [])].join('|');
  const kept = new RegExp(
    `^((src|packages|tests)/(${rooms}|ground)/|tests/[\\w-]+\\.ts$|(?!src/|packages/|tests/))`,
  );
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  for (const file of execFileSync('git', listed, { cwd: from, encoding: 'utf8' }).split('\0'))
    if (file !== '' && kept.test(file) && existsSync(join(from, file)))
      cpSync(join(from, file), join(folder, file));
  // The packages are those of the copy.
  const modules = join(folder, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(root, 'node_modules')))
    symlinkSync(
      name === '@echelon' ? join(folder, 'packages') : join(root, 'node_modules', name),
      join(modules, name),
    );
  const config = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8'));
  const include = ['src', 'packages', 'tests/*/**/*.ts'];
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ ...config, include }));
  const test = { include: ['tests/*/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 };
  writeFileSync(join(folder, 'vitest.config.ts'), `export default ${JSON.stringify({ test })};`);
}

if (import.meta.main) {
  const steps = process.argv.includes('--quick') ? quick : [...quick, tests];
  for (const wing of Object.keys(entries)) {
    const failed = await failsAlone(wing, root, steps);
    console.log(`${wing} alone: ${failed || 'in order'}`);
    if (failed) process.exitCode = 1;
  }
}
