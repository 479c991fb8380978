// The command line as a person types it where they are, for the remedies that name it.
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '../../..');

export const { version } = createRequire(import.meta.url)('../../../package.json') as { version: string };

/** A word of a command line, quoted where a shell needs it. */
export const inShell = (word: string): string =>
  /^[\w./@:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/**
 * `npx echelon` where the package is installed in the folder; from a clone of Echelon the folder is named: without it
 * npx would fetch a package of that name, which is not ours.
 */
export function ownCommand(cwd = process.cwd()): string {
  const path = relative(cwd, root);
  return path === '' || path === join('node_modules', 'echelon')
    ? 'npx echelon'
    : `npx --prefix ${inShell(path.length < root.length ? path : root)} echelon`;
}
