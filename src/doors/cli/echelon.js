#!/usr/bin/env node
// The command line's first file: plain JavaScript, so that an old Node gets a sentence instead of a syntax error.
import { existsSync } from 'node:fs';

const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `Echelon needs Node 24 or newer; this is ${process.versions.node}. On Linux x64 \`npm ci\` brings one along for npm scripts and npx; elsewhere install it from https://nodejs.org.`,
  );
  process.exit(1);
}
await import('../compile-cache.js');
// Of an installed package, from which Node takes no TypeScript, what was built of it.
const source = new URL('./cli.ts', import.meta.url);
const built = new URL('../../../dist/doors/cli/cli.js', import.meta.url);
const { main } = await import(existsSync(source) ? './cli.ts' : built.href);
process.exitCode = await main(process.argv.slice(2));
