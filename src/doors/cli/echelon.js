#!/usr/bin/env node
// The command line's first file: plain JavaScript, so that an old Node gets a sentence instead of a syntax error.
const major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  console.error(
    `Echelon needs Node 24 or newer; this is ${process.versions.node}. On Linux x64 \`npm ci\` brings one along for npm scripts and npx; elsewhere install it from https://nodejs.org.`,
  );
  process.exit(1);
}
await import('../compile-cache.js');
const { main } = await import('./cli.ts');
process.exitCode = await main(process.argv.slice(2));
