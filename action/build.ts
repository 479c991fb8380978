// Builds the Action's files from src/: `npm run build`. They are no source, so they are not tracked.
// index.mjs is the Action; beside it lie what it starts in threads of its own: the sandbox's worker and its interpreter.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** The repository's folder. */
export const root = join(import.meta.dirname, '..');

const files: Record<string, () => Promise<Uint8Array>> = {
  'index.mjs': () => bundled('src/doors/action/action.ts'),
  'sandbox-worker.mjs': () => bundled('src/engine/sandbox/worker.ts'),
  'quickjs.wasm': async () => readFileSync(fileURLToPath(import.meta.resolve('quickjs-wasi/quickjs.wasm'))),
};

/** One file of `input` and all that it imports, of the sources in `from`. Throws what cannot be found. */
export async function bundled(input: string, from = root): Promise<Uint8Array> {
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
  const options = {
    format: 'esm',
    codeSplitting: false,
    minify: true,
    comments: { legal: true },
  } as const;
  const { output } = await bundle.generate(options as Parameters<typeof bundle.generate>[0]);
  await bundle.close();
  return Buffer.from(output[0].code);
}

/** The Action's files by their path in the repository. */
export async function build(): Promise<ReadonlyMap<string, Uint8Array>> {
  const built = new Map<string, Uint8Array>();
  for (const [name, make] of Object.entries(files)) built.set(`action/${name}`, await make());
  return built;
}

if (import.meta.main)
  for (const [path, bytes] of await build()) {
    writeFileSync(join(root, path), bytes);
    console.log(`${path}: ${Math.round(bytes.length / 1024)} KB`);
  }
