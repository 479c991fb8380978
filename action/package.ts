// Builds what the package has in the place of src/ (`npm pack` calls it): JavaScript of every file and the types of the
// exported ones in dist/, each as deep below the root as its source, since paths lead from there; and the Action's files.
// What package.json exports are sources: in the package it names what was built of them, and `--restore` puts it back.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './build.ts';

const dist = join(root, 'dist');

/** Compiles what `files` or `include` name, with these options besides the project's. Throws what the compiler says. */
function compile(parts: object, compilerOptions: object): void {
  const folder = mkdtempSync(join(root, 'node_modules', '.package-'));
  const project = join(folder, 'tsconfig.json');
  const options = {
    noEmit: false,
    rootDir: join(root, 'src'),
    outDir: dist,
    allowJs: true,
    noEmitOnError: true,
    ...compilerOptions,
  };
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

const manifestPath = join(root, 'package.json');
const kept = join(dist, '.package.json');

function build(): void {
  rmSync(dist, { recursive: true, force: true });
  const text = readFileSync(manifestPath, 'utf8');
  const manifest = JSON.parse(text) as { exports: Record<string, string> };
  const opened = Object.values(manifest.exports).filter(path => path.endsWith('.ts'));
  compile({ include: [join(root, 'src')] }, {});
  compile(
    { include: opened.map(path => join(root, path)) },
    { declaration: true, emitDeclarationOnly: true },
  );
  for (const path of globSync('src/**/{*.{yml,css,svg,graphql},live/*.js}', { cwd: root }))
    cpSync(join(root, path), join(dist, path.slice('src/'.length)));
  execFileSync(process.execPath, [join(root, 'action/build.ts')], { stdio: ['ignore', 2, 'inherit'] });
  const exports = Object.fromEntries(
    Object.entries(manifest.exports).map(([name, path]) => {
      const built = path.replace(/^\.\/src\/(.+)\.ts$/, './dist/$1');
      return [name, opened.includes(path) ? { types: `${built}.d.ts`, default: `${built}.js` } : path];
    }),
  );
  writeFileSync(kept, text);
  writeFileSync(manifestPath, `${JSON.stringify({ ...manifest, exports }, null, 2)}\n`);
}

if (process.argv.includes('--restore')) cpSync(kept, manifestPath);
else build();
