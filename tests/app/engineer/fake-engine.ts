// A small program that passes for one of others': it speaks the Messages API at the address it is given, carries out a few
// tools, and ends when its model calls none.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const source = `
const { readFileSync, writeFileSync, readdirSync, existsSync } = require('node:fs');
const { connect } = require('node:net');
const reached = port => new Promise(done => {
  const socket = connect(port, '127.0.0.1', () => { socket.destroy(); done(true); });
  socket.on('error', () => done(false));
});
const tools = {
  async write_file({ path, content }) { writeFileSync(path, content); return 'written'; },
  async Write({ file_path, content }) { writeFileSync(file_path, content); return 'written'; },
  async Look({ file_path, places, port }) {
    const home = readdirSync(process.env.HOME);
    const seen = { env: process.env, home, there: places.split(' ').filter(existsSync), reached: await reached(port) };
    writeFileSync(file_path, JSON.stringify(seen));
    return 'looked';
  },
  async Twice() {
    const ask = () => fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', {
      method: 'POST',
      headers: { 'x-api-key': process.env.ANTHROPIC_API_KEY },
      body: JSON.stringify({ model: 'm', messages: [] }),
    });
    await Promise.all([ask(), ask(), ask()]);
    return 'asked';
  },
  async Break() { console.error('it broke'); process.exit(3); },
};
(async () => {
  const messages = [{ role: 'user', content: readFileSync(0, 'utf8') }];
  for (;;) {
    const answer = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages?beta=true', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': process.env.ANTHROPIC_API_KEY },
      body: JSON.stringify({
        model: process.argv[process.argv.indexOf('--model') + 1],
        max_tokens: 100,
        system: [{ type: 'text', text: 'You are a fake.' }],
        messages,
        tools: Object.keys(tools).map(name => ({ name, input_schema: { type: 'object' } })),
      }),
    });
    const { content } = await answer.json();
    const calls = content.filter(block => block.type === 'tool_use');
    messages.push({ role: 'assistant', content });
    if (calls.length === 0) break;
    const results = [];
    for (const { id, name, input } of calls)
      results.push({ type: 'tool_result', tool_use_id: id, content: await tools[name](input) });
    messages.push({ role: 'user', content: results });
  }
})().catch(error => { console.error(error); process.exit(1); });
`;

/** Puts it into `folder`/bin, and answers that folder. Its interpreter is the one that a sandbox shows, else this process's. */
export function fakeEngine(folder: string, program = 'claude'): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const script = [
    '#!/bin/sh',
    '[ "$1" = --version ] && exec echo "9.9.9 (a fake)"',
    '[ -e /run/echelon/node ] && exec /run/echelon/node "$0.cjs" "$@"',
    `exec '${process.execPath}' "$0.cjs" "$@"`,
  ];
  writeFileSync(join(bin, program), `${script.join('\n')}\n`);
  writeFileSync(join(bin, `${program}.cjs`), source);
  chmodSync(join(bin, program), 0o755);
  return bin;
}
