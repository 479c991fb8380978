// GitHub's own command line, sent to a forge as if that were its proxy.
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import type { TestForge } from '../fixture.ts';

const ran = promisify(execFile);

/** Empty where `gh` is there; else what a test says of it in its name. */
export const ghMissing =
  spawnSync('gh', ['--version']).error === undefined ? '' : ' (skipped: gh is missing)';

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs `gh` with `args` as that person; `cwd`: default the forge's own folder, which is no checkout. */
export async function gh(
  { forge, root }: TestForge,
  args: readonly string[],
  { login = 'olga', cwd = root, input = '' }: { login?: string; cwd?: string; input?: string } = {},
): Promise<Ran> {
  const env = {
    PATH: process.env['PATH'],
    HOME: root,
    GH_HOST: 'github.localhost',
    GH_TOKEN: forge.tokenFor(login),
    HTTP_PROXY: forge.url,
    GH_NO_UPDATE_NOTIFIER: '1',
    NO_COLOR: '1',
  };
  const running = ran('gh', [...args], { env, cwd });
  running.child.stdin?.end(input);
  return await running.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code = -1, stdout = '', stderr = '' }: Partial<Ran>) => ({ code, stdout, stderr }),
  );
}
