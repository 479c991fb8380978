// Connects programs in a sandbox with sockets outside of it.

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A port on the loopback that leads to a socket. */
export interface Forward {
  /** Path outside of the sandbox. */
  socket: string;
  /** Variables for the command; `{port}` in their values becomes the port. */
  env: Readonly<Record<string, string>>;
}

/**
 * A folder for a socket that nobody else may read. The path of a socket may have 103 bytes at least, and 107 on Linux, and
 * runners have long folders for temporary files.
 */
export const socketFolder = (): Promise<string> =>
  mkdtemp(join(Buffer.byteLength(tmpdir()) > 70 ? '/tmp' : tmpdir(), 'echelon-door-'));

/**
 * For `node -e`, with the forwards as JSON and the program with its arguments behind it. A sandbox without a network has
 * a loopback of its own. Plain JavaScript, which needs nothing of this product's files.
 */
export const forwarder = `
const { createServer, connect } = require('node:net');
const { spawn } = require('node:child_process');
const { signals } = require('node:os').constants;
const [plan, program, ...args] = process.argv.slice(1);
const variables = [];
const open = ({ socket, env: own }) => new Promise((resolve, reject) => {
  const server = createServer(from => {
    const to = connect(socket);
    from.pipe(to).pipe(from);
    from.on('error', () => to.destroy());
    to.on('error', () => from.destroy());
  });
  server.on('error', reject);
  server.listen(0, '127.0.0.1', () => {
    for (const [name, value] of Object.entries(own))
      variables.push(name + '=' + value.replaceAll('{port}', server.address().port));
    resolve();
  });
});
Promise.all(JSON.parse(plan).map(open)).then(() => {
  const child = spawn('env', [...variables, program, ...args], { stdio: 'inherit' });
  child.on('error', error => { console.error(error.message); process.exit(127); });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + signals[signal]));
}, error => { console.error(error.message); process.exit(1); });
`;
