// Builds the Action's files from src/: `npm run build`. With --check it only says whether they are up to date.
// index.mjs is the Action; beside it lie what it starts in threads of its own: the sandbox's worker and its interpreter.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');

const files: Record<string, () => Promise<Uint8Array>> = {
  'index.mjs': () => bundled('src/main/action.ts'),
  'sandbox-worker.mjs': () => bundled('src/sandbox/worker.ts'),
  'quickjs.wasm': async () => readFileSync(fileURLToPath(import.meta.resolve('quickjs-wasi/quickjs.wasm'))),
};

async function bundled(input: string): Promise<Uint8Array> {
  const bundle = await rolldown({ input: join(root, input), platform: 'node', cwd: root, logLevel: 'warn' });
  const options = {
    format: 'esm',
    codeSplitting: false,
    minify: false,
    comments: { legal: true },
  } as const;
  const { output } = await bundle.generate(options as Parameters<typeof bundle.generate>[0]);
  await bundle.close();
  return Buffer.from(output[0].code);
}

let stale = 0;
for (const [name, make] of Object.entries(files)) {
  const file = join(root, 'action', name);
  const bytes = await make();
  if (!process.argv.includes('--check')) {
    writeFileSync(file, bytes);
    console.log(`action/${name}: ${Math.round(bytes.length / 1024)} KB`);
  } else if (!existsSync(file) || !readFileSync(file).equals(bytes)) {
    console.error(`action/${name} is not what src/ builds to: run \`npm run build\` and commit it`);
    stale += 1;
  }
}
process.exitCode = stale > 0 ? 1 : 0;
