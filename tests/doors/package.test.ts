// The package as `npm run package` and `npm pack` make it, unpacked into an empty folder beside the product's dependencies: it runs from there.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
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
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'echelon-package-'));
const project = join(folder, 'project');
const installed = join(project, 'node_modules/echelon');
const env = { PATH: process.env['PATH'] ?? '', HOME: folder };

// Packed in a copy: others build the Action's files meanwhile.
beforeAll(() => {
  const copy = join(folder, 'copy');
  const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const path of tracked.split('\0').filter(Boolean))
    if (!/^(tests\/(?!sample\/)|docs\/)/.test(path)) cpSync(join(root, path), join(copy, path));
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')))
    symlinkSync(
      name === '@echelon' ? '../packages' : join(root, 'node_modules', name),
      join(copy, 'node_modules', name),
    );
  execFileSync('npm', ['run', 'package'], { cwd: copy, env, stdio: 'pipe' });
  execFileSync('npm', ['pack', './dist', '--pack-destination', folder], { cwd: copy, env, stdio: 'pipe' });
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, 'echelon-0.1.0.tgz'), '-C', installed, '--strip-components=1']);
  // Packages that `npm install` would fetch are present already.
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== '@echelon')
      symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const echelon = (...args: string[]) => {
  const entry = join(installed, 'src/doors/cli/echelon.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...args], {
    cwd: project,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

test('says its version, and helps', () => {
  expect(echelon('--version')).toEqual({ status: 0, stdout: '0.1.0\n', stderr: '' });
  expect(echelon('demo', '--help')).toMatchObject({ status: 0, stderr: '' });
});

test.each(['demo', 'serve'])('%s says that the local GitHub is in a clone', command => {
  const { status, stderr } = echelon(command);
  expect(status).toBe(2);
  expect(stderr).toContain('the local GitHub is not part of the package');
});

test('runs a program, with the sandbox that models have', () => {
  writeFileSync(join(project, 'add.js'), 'return 1 + 2;');
  expect(echelon('task', 'js', 'add.js')).toMatchObject({ status: 0, stdout: '3\n' });
  writeFileSync(join(project, 'p.xml'), '<task name="greet"><description>Greet.</description></task>');
  writeFileSync(
    join(project, 's.json'),
    '{ "version": 1, "replies": [{ "for": "greet", "text": "Hello!" }] }',
  );
  expect(echelon('task', 'run', 'p.xml', '--script', 's.json')).toMatchObject({
    status: 0,
    stdout: 'Hello!\n',
  });
});

/** The compiler's messages for a file of the project that uses the package, in strictest mode. */
function compiled(name: string, text: string): string {
  writeFileSync(join(project, name), text);
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = [
    '--target',
    'es2024',
    '--module',
    'nodenext',
    '--strict',
    '--skipLibCheck',
    '--types',
    'node',
  ];
  const compiler = spawnSync(process.execPath, [tsc, ...options, name], {
    cwd: project,
    env,
    encoding: 'utf8',
  });
  return compiler.stdout + compiler.stderr;
}

test('is a library with types', () => {
  const example = /```ts\n(import .*? from 'echelon';\n.*?)```/s.exec(
    readFileSync(join(root, 'docs/library.md'), 'utf8'),
  )?.[1];
  expect(compiled('example.ts', example ?? '')).toBe('');
  const said = execFileSync(process.execPath, ['example.js'], { cwd: project, env, encoding: 'utf8' });
  expect(said).toMatch(/Hello, dear Ada! 1\n$/);
});

test('is a Probot app with types', () => {
  const host = `import type { Probot } from 'probot';
import echelon from 'echelon/probot';
export const load: (host: Probot) => Promise<void> = echelon;
`;
  expect(compiled('host.ts', host)).toBe('');
  const wrong = "import echelon from 'echelon/probot';\nvoid echelon(1);\n";
  expect(compiled('wrong.ts', wrong)).toMatch(/^wrong\.ts\(2,\d+\): error TS2345: .* 'Probot'/);
});
