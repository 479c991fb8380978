// The command line as the container image has it: in the image that ECHELON_IMAGE names (CI), or else from a folder with the
// files that the Dockerfile copies, so that a file which the image lacks fails a test without Docker.
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './run-cli.ts';

/** A command for `startCli`. `into`: for the folder. `data`, `variables`: what the container sees of this machine. */
export function imageCommand(into: string, data: string, variables: readonly string[]): string[] {
  const image = process.env['ECHELON_IMAGE'];
  if (!image) return [process.execPath, join(copied(into), 'src/doors/cli/echelon.js')];
  const user = `${process.getuid?.()}:${process.getgid?.()}`;
  return [
    ...[
      'docker',
      'run',
      '--rm',
      '--init',
      '--network',
      'host',
      '--user',
      user,
      '--volume',
      `${data}:${data}`,
    ],
    ...variables.flatMap(name => ['--env', name]),
    ...['--env', 'HOST=127.0.0.1', image, 'node', 'src/doors/cli/echelon.js'],
  ];
}

/** The folder, made once. */
function copied(into: string): string {
  const folder = join(into, 'image');
  if (existsSync(folder)) return folder;
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  for (const [, names = '', target = ''] of read('Dockerfile').matchAll(/^COPY (?!--from)(.+) (\S+)$/gm))
    for (const name of names.split(' '))
      cpSync(join(root, name), join(folder, target.endsWith('/') ? join(target, basename(name)) : target), {
        recursive: true,
      });
  // Of what is installed, what `--omit=dev --omit=optional` leaves.
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean }>;
  };
  for (const [path, { dev, optional }] of Object.entries(packages)) {
    if (!/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) || dev || optional) continue;
    mkdirSync(join(folder, path, '..'), { recursive: true });
    symlinkSync(join(root, path), join(folder, path));
  }
  return folder;
}

const read = (path: string) => readFileSync(join(root, path), 'utf8');
