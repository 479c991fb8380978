// Brings the peers, which have a package and a lock of their own: a benchmark without them is still one of ours.
import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
/** Longer than any installation that still leaves time to measure, in milliseconds. */
const INSTALL_LIMIT_MS = 90_000;

/** Installs the peers when they are missing or older than their lock. Answers why they are not there, if so. */
export async function bringPeers(): Promise<string | undefined> {
  // npm writes this file last, so a folder without it is half an installation.
  const installed = changed('node_modules/.package-lock.json');
  if (installed !== undefined && installed >= (changed('package-lock.json') ?? 0)) return undefined;
  console.error('bench: installing the peers into tests/bench/node_modules');
  const failure = await install();
  return failure === undefined ? undefined : `the peers were left out: npm ci ${failure}`;
}

function changed(file: string): number | undefined {
  return statSync(`${folder}${file}`, { throwIfNoEntry: false })?.mtimeMs;
}

/** Answers what went wrong, if so. What npm has to say goes to stderr: stdout belongs to the figures. */
function install(): Promise<string | undefined> {
  const npm = process.env['npm_execpath'];
  const [command, ...before] = npm === undefined ? ['npm'] : [process.execPath, npm];
  return new Promise(resolve => {
    const child = spawn(
      command,
      [...before, 'ci', '--prefix', folder, '--loglevel=error', '--fetch-retries=1'],
      {
        stdio: ['ignore', 2, 2],
        timeout: INSTALL_LIMIT_MS,
      },
    );
    child.once('error', error => resolve(`did not start (${error.message})`));
    child.once('exit', (code, signal) => {
      if (code === 0) resolve(undefined);
      else resolve(signal === null ? `ended with ${code}` : `was ended by ${signal}`);
    });
  });
}
