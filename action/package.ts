// Makes the package in dist/ (`npm run package`, then `npm pack ./dist`): each file where it is in the repository, with
// JavaScript and the types of what package.json exports in the place of the sources, and the Action's files. The ground
// is bundled with it; the local GitHub is left out.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
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
  workspaces,
  files,
  private: _,
  ...manifest
} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, string>;
  files: string[];
} & Record<string, unknown>;
const opened = Object.values(manifest.exports).filter(path => path.endsWith('.ts'));
const ground = join(root, 'packages/ground');
compile({ include: [join(root, 'src'), ground, join(root, 'packages/forge/**/*.d.ts')] }, {});
compile(
  { include: [...opened.map(path => join(root, path)), ground] },
  { declaration: true, emitDeclarationOnly: true },
);
execFileSync(process.execPath, [join(root, 'action/build.ts')], { stdio: ['ignore', 2, 'inherit'] });
for (const path of globSync(files, { cwd: root }))
  cpSync(join(root, path), join(dist, path), { recursive: true });
// npm would look for the ground in a registry if it were not bundled.
const bundled = join(dist, 'node_modules/@echelon/ground');
mkdirSync(join(bundled, '..'), { recursive: true });
renameSync(join(dist, 'packages/ground'), bundled);
rmSync(join(dist, 'packages'), { recursive: true });
const groundManifest = readFileSync(join(ground, 'package.json'), 'utf8');
writeFileSync(join(bundled, 'package.json'), groundManifest.replaceAll('index.ts', 'index.js'));
const exports = Object.fromEntries(
  Object.entries(manifest.exports).map(([name, path]) => {
    const built = path.replace(/\.ts$/, '');
    return [name, opened.includes(path) ? { types: `${built}.d.ts`, default: `${built}.js` } : path];
  }),
);
const packed = { ...manifest, exports, bundleDependencies: ['@echelon/ground'] };
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
