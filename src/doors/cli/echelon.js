#!/usr/bin/env node
// The command line's first file: plain JavaScript, so that an old Node gets a sentence instead of a syntax error.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The Node that `npm ci` has put beside the source, on Linux x64. */
const own = fileURLToPath(new URL('../../../node_modules/.bin/node', import.meta.url));

if (Number(process.versions.node.split('.')[0]) >= 24) await begin();
else if (existsSync(own)) await beginUnder(own);
else {
  console.error(
    `Echelon needs Node 24 or newer; this is ${process.versions.node}. On Linux x64 \`npm ci\` brings one along for npm scripts and npx; elsewhere install it from https://nodejs.org.`,
  );
  process.exitCode = 1;
}

async function begin() {
  await import('../compile-cache.js');
  // Of an installed package, from which Node takes no TypeScript, what was built of it.
  const source = new URL('./cli.ts', import.meta.url);
  const { main } = await import(existsSync(source) ? './cli.ts' : './cli.js');
  process.exitCode = await main(process.argv.slice(2));
}

/** The same call under another Node; `npx --prefix` in somebody's clone takes the system's. */
async function beginUnder(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal's Ctrl-C reaches both.
  process.on('SIGINT', () => {});
  for (const name of ['SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name));
  process.exitCode = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(signal ? 1 : code));
  });
}
