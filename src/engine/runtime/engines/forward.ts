// What stands between a program in a sandbox and the socket outside of it that its model is asked at.

/**
 * For `node -e`, with the socket's path and the program with its arguments behind it: a port on the loopback, which in a
 * sandbox without a network is all there is, is passed on to the socket, and the program is told of it in the variable
 * that it reads. Plain JavaScript, which needs nothing of this product's files.
 */
export const forwarder = `
const { createServer, connect } = require('node:net');
const { spawn } = require('node:child_process');
const [socket, variable, program, ...args] = process.argv.slice(1);
const server = createServer(from => {
  const to = connect(socket);
  from.pipe(to).pipe(from);
  from.on('error', () => to.destroy());
  to.on('error', () => from.destroy());
});
server.listen(0, '127.0.0.1', () => {
  const address = variable + '=http://127.0.0.1:' + server.address().port;
  const child = spawn('env', [address, program, ...args], { stdio: 'inherit' });
  child.on('error', error => { console.error(error.message); process.exit(127); });
  child.on('exit', code => process.exit(code ?? 1));
});
`;
