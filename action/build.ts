// Builds the Action's files from src/: `npm run build`. They are no source, so they are not tracked.
// index.mjs is the Action; beside it lie what it starts in threads of its own: the sandbox's worker and its interpreter.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');

const files: Record<string, () => Promise<Uint8Array>> = {
  'index.mjs': () => bundled('src/doors/action/action.ts'),
  'sandbox-worker.mjs': () => bundled('src/engine/sandbox/worker.ts'),
  'quickjs.wasm': async () => readFileSync(fileURLToPath(import.meta.resolve('quickjs-wasi/quickjs.wasm'))),
};

async function bundled(input: string): Promise<Uint8Array> {
  const bundle = await rolldown({ input: join(root, input), platform: 'node', cwd: root, logLevel: 'warn' });
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

for (const [name, make] of Object.entries(files)) {
  const bytes = await make();
  writeFileSync(join(root, 'action', name), bytes);
  console.log(`action/${name}: ${Math.round(bytes.length / 1024)} KB`);
}
