// Builds the Action's files from src/: `npm run build`. They are no source, so they are not tracked.
// index.mjs is the Action; beside it lie the parts that a mode loads when it is asked for, and what it starts in threads
// of its own: the sandbox's worker and its interpreter. action.yml is that of the repository's root once more: `$/action` is
// how its own workflows name it (`$/` alone is no name).
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** The repository's folder. */
export const root = join(import.meta.dirname, '..');

/**
 * `input` of the sources in `from` with all that it imports, by the names of the files; `name`.mjs is the one to start.
 * What is imported when it is needed is in files of its own. Throws what cannot be found.
 */
export async function bundled(name: string, input: string, from = root): Promise<[string, Uint8Array][]> {
  const bundle = await rolldown({
    input: join(from, input),
    platform: 'node',
    cwd: from,
    logLevel: 'warn',
    // The HTTP client of @actions/core is for what nobody asks of it here; it would be a quarter of the whole.
    treeshake: {
      moduleSideEffects: [{ test: /node_modules\/(@actions|undici|tunnel)\//, sideEffects: false }],
    },
  });
  const { output } = await bundle.generate({
    format: 'esm',
    entryFileNames: `${name}.mjs`,
    chunkFileNames: `${name}.[name].mjs`,
    minify: true,
    comments: { legal: true },
  });
  await bundle.close();
  return output.map(({ fileName, ...file }) => [
    fileName,
    Buffer.from('code' in file ? file.code : file.source),
  ]);
}

function metadata(): Uint8Array {
  const text = readFileSync(join(root, 'action.yml'), 'utf8');
  return Buffer.from(text.replace('main: action/index.mjs', 'main: index.mjs'));
}

/** The Action's files by their path in the repository. */
export async function build(): Promise<ReadonlyMap<string, Uint8Array>> {
  const interpreter = fileURLToPath(import.meta.resolve('quickjs-wasi/quickjs.wasm'));
  const files: [string, Uint8Array][] = [
    ...(await bundled('index', 'src/doors/action/action.ts')),
    ...(await bundled('sandbox-worker', 'src/engine/sandbox/worker.ts')),
    ['quickjs.wasm', readFileSync(interpreter)],
    ['action.yml', metadata()],
  ];
  return new Map(files.map(([name, bytes]) => [`action/${name}`, bytes]));
}

if (import.meta.main) {
  const built = await build();
  // Parts that only an earlier build had.
  for (const path of globSync('action/*.mjs', { cwd: root })) if (!built.has(path)) rmSync(join(root, path));
  for (const [path, bytes] of built) {
    const file = join(root, path);
    // A process that copies the folder meanwhile finds each file whole: files that exist stay as they are.
    if (!existsSync(file) || !readFileSync(file).equals(bytes)) {
      const fresh = `${file}.${process.pid}`;
      writeFileSync(fresh, bytes);
      renameSync(fresh, file);
    }
    console.log(`${path}: ${Math.round(bytes.length / 1024)} KB`);
  }
}
