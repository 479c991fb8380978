// `npm run size`: figures of the size of the project beside those that were reached before. `--check` fails where one has
// risen; `--accept` writes down what is reached now.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { figuresOf } from './figures.ts';
import { uncalledRoutes } from './uncalled-routes.ts';

const root = resolve(import.meta.dirname, '../..');
const file = join(import.meta.dirname, 'reached.json');
const reached: Record<string, number> = JSON.parse(readFileSync(file, 'utf8'));
const figures = Object.entries({
  ...figuresOf(root),
  'routes of the local GitHub that nobody calls': uncalledRoutes(root).length,
});
// Code may move from one package to another.
const bound = (name: string) => (name.startsWith('lines in') ? undefined : reached[name]);
const risen = figures.filter(([name, now]) => now > (bound(name) ?? Number.POSITIVE_INFINITY));

if (process.argv.includes('--accept')) {
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(figures), undefined, 2)}\n`);
} else if (!process.argv.includes('--check')) {
  for (const [name, now] of figures)
    console.log(`${name.padEnd(48)}${String(now).padStart(8)}  (reached: ${reached[name] ?? '-'})`);
}
if (process.argv.includes('--check'))
  for (const [name, now] of risen)
    console.error(
      `${name}: ${now}, and ${reached[name]} was reached: remove as much elsewhere (npm run size shows all figures)`,
    );
process.exitCode = process.argv.includes('--check') && risen.length > 0 ? 1 : 0;
