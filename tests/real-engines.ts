// The programs of others that engineers may be: found on PATH, or installed where ECHELON_ENGINES=1 says so (by npm and pip,
// about 1 GB, kept in the machine's folder for temporary files). Neither is a dependency of this product.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const versions = { 'claude-code': '2.1.330', aider: '0.86.2' } as const;
const programs = { 'claude-code': 'claude', aider: 'aider' } as const;

const installs = {
  'claude-code': (folder: string) => [
    [
      'npm',
      'install',
      '--global',
      '--prefix',
      folder,
      `@anthropic-ai/claude-code@${versions['claude-code']}`,
    ],
  ],
  aider: (folder: string) => [
    ['python3', '-m', 'venv', folder],
    [join(folder, 'bin', 'python'), '-m', 'pip', 'install', '--quiet', `aider-chat==${versions.aider}`],
  ],
};

/** The folder in which the program is; or why it is not, for the name of a test that is skipped. */
export function realEngine(name: keyof typeof programs): { bin: string } | { skipped: string } {
  const program = programs[name];
  const folder = join(tmpdir(), 'echelon-engines', `${name}-${versions[name]}`);
  const found = [...(process.env['PATH'] ?? '').split(':'), join(folder, 'bin')].find(bin =>
    existsSync(join(bin, program)),
  );
  if (found !== undefined) return { bin: found };
  if (process.env['ECHELON_ENGINES'] !== '1')
    return { skipped: `${program} is not on PATH; ECHELON_ENGINES=1 installs it` };
  for (const [command = '', ...args] of installs[name](folder)) {
    const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
    if (status !== 0)
      return { skipped: `${program} cannot be installed: ${error?.message ?? stderr.slice(-200)}` };
  }
  return { bin: join(folder, 'bin') };
}
