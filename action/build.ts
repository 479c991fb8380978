// Builds the Action's one file from src/main/action.ts: `npm run build`. With --check it only says whether it is up to date.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const file = join(root, 'action/index.mjs');

const bundle = await rolldown({
  input: join(root, 'src/main/action.ts'),
  platform: 'node',
  cwd: root,
  logLevel: 'warn',
});
const options = { format: 'esm', codeSplitting: false, minify: false, comments: { legal: true } } as const;
const { output } = await bundle.generate(options as Parameters<typeof bundle.generate>[0]);
const code = output[0].code;
if (process.argv.includes('--check')) {
  const same = existsSync(file) && readFileSync(file, 'utf8') === code;
  if (!same) console.error('action/index.mjs is not what src/ builds to: run `npm run build` and commit it');
  process.exitCode = same ? 0 : 1;
} else {
  const { writeFileSync } = await import('node:fs');
  writeFileSync(file, code);
  console.log(`action/index.mjs: ${Math.round(code.length / 1024)} KB`);
}
await bundle.close();
