// Makes the package in dist/ (`npm run package`, then `npm pack ./dist`): each file where it is in the repository, with
// JavaScript and the types of what package.json exports in the place of the sources, and the Action's files.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './build.ts';

const dist = join(root, 'dist');

/** Compiles what `files` or `include` name, with these options besides the project's. Throws what the compiler says. */
function compile(parts: object, compilerOptions: object): void {
  const folder = mkdtempSync(join(root, 'node_modules', '.package-'));
  const project = join(folder, 'tsconfig.json');
  const options = { noEmit: false, rootDir: root, outDir: dist, noEmitOnError: true, ...compilerOptions };
  writeFileSync(
    project,
    JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions: options, ...parts }),
  );
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project], {
      stdio: ['ignore', 2, 'inherit'],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

rmSync(dist, { recursive: true, force: true });
const {
  scripts,
  devDependencies,
  files,
  private: _,
  ...manifest
} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, string>;
  files: string[];
} & Record<string, unknown>;
const opened = Object.values(manifest.exports).filter(path => path.endsWith('.ts'));
compile({ include: ['src', 'packages'].map(folder => join(root, folder)) }, {});
compile({ include: opened.map(path => join(root, path)) }, { declaration: true, emitDeclarationOnly: true });
execFileSync(process.execPath, [join(root, 'action/build.ts')], { stdio: ['ignore', 2, 'inherit'] });
for (const path of globSync(files, { cwd: root }))
  cpSync(join(root, path), join(dist, path), { recursive: true });
const exports = Object.fromEntries(
  Object.entries(manifest.exports).map(([name, path]) => {
    const built = path.replace(/\.ts$/, '');
    return [name, opened.includes(path) ? { types: `${built}.d.ts`, default: `${built}.js` } : path];
  }),
);
writeFileSync(join(dist, 'package.json'), `${JSON.stringify({ ...manifest, exports }, null, 2)}\n`);
