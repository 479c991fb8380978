// Lock files that the setup command cannot install from. Only what is certain: a doubt is no finding.
import { jsonOf } from '@echelon/ground';
import { z } from 'zod';
import { configPath } from '../../../app/config.ts';
import type { Problem } from '../../finding.ts';

/** Commands that fail without their lock file. */
const needs: readonly [command: RegExp, files: readonly string[], made: string][] = [
  [
    /\bnpm (?:ci|clean-install)\b/,
    ['package-lock.json', 'npm-shrinkwrap.json'],
    'npm install --package-lock-only',
  ],
  [/\bpnpm (?:install|i)\b.*--frozen-lockfile\b/, ['pnpm-lock.yaml'], 'pnpm install --lockfile-only'],
  [/\byarn\b.*--(?:frozen-lockfile|immutable)\b/, ['yarn.lock'], 'yarn install'],
  [/\buv sync\b.*--(?:frozen|locked)\b/, ['uv.lock'], 'uv lock'],
  [/\bcargo\b.*--locked\b/, ['Cargo.lock'], 'cargo generate-lockfile'],
];

/** Lock files of one manifest: each package manager reads its own alone. */
const rivals = [
  ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock'],
  ['uv.lock', 'poetry.lock'],
];

const Manifest = z.looseObject({
  dependencies: z.record(z.string(), z.string()).optional(),
  devDependencies: z.record(z.string(), z.string()).optional(),
});
const Lock = z.looseObject({
  packages: z.record(z.string(), z.unknown()).optional(),
  dependencies: z.record(z.string(), z.unknown()).optional(),
});

/** Files of the repository's root. */
export interface LockedRoot {
  /** The setup command; empty: there is none. */
  setup: string;
  /** The configuration does not name it. */
  guessed: boolean;
  /** Names of the files at the root. */
  names: readonly string[];
  /** The text of one of them; empty where it cannot be had. */
  read(name: string): Promise<string>;
}

export async function lockProblem({ setup, guessed, names, read }: LockedRoot): Promise<Problem | undefined> {
  const there = new Set(names);
  // Elsewhere than at the root nothing is known.
  if (/\bcd\s|--prefix\b|\s-C\s|--cwd\b|--manifest-path\b/.test(setup)) return undefined;
  for (const [command, files, made] of needs) {
    if (!command.test(setup) || files.some(file => there.has(file))) continue;
    const [file = ''] = files;
    const ignored = (await read('.gitignore'))
      .split('\n')
      .some(line => line.trim().replace(/^\//, '') === file);
    return {
      detail: `setup is \`${setup}\`, which needs ${file} at the root of the repository, where it is ${ignored ? 'ignored by .gitignore' : 'missing'}`,
      fix: `${made} && git add --force ${file} && git commit -m 'Lock the dependencies'${ignored ? '  (and take it out of .gitignore)' : ''}`,
    };
  }
  const several = rivals.map(group => group.filter(file => there.has(file))).find(group => group.length > 1);
  if (several && guessed)
    return {
      detail: `${several.join(' and ')} lock the same dependencies for different package managers`,
      fix: `git rm ${several.slice(1).join(' ')}  (or the one that is not in use, or write \`setup: <command>\` into ${configPath})`,
    };
  if (!/\bnpm (?:ci|clean-install)\b/.test(setup) || !there.has('package-lock.json')) return undefined;
  const manifest = Manifest.safeParse(jsonOf(await read('package.json'))).data;
  return manifest && outOfStep(manifest, await read('package-lock.json'));
}

/** `npm ci` installs nothing where the lock file lacks a package that package.json names. */
function outOfStep(manifest: z.infer<typeof Manifest>, text: string): Problem | undefined {
  const fix = "npm install --package-lock-only && git commit -m 'Lock the dependencies' package-lock.json";
  // GitHub shows no text of a file over 1 MB.
  if (text === '') return undefined;
  const lock = Lock.safeParse(jsonOf(text)).data;
  if (!lock) return { detail: 'package-lock.json is not valid JSON', fix };
  const named = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const { packages, dependencies } = lock;
  if (!packages && !dependencies) return undefined;
  const lacks = named.filter(name => !packages?.[`node_modules/${name}`] && !dependencies?.[name]);
  if (lacks.length === 0) return undefined;
  const shown = `${lacks.slice(0, 5).join(', ')}${lacks.length > 5 ? ` and ${lacks.length - 5} more` : ''}`;
  return { detail: `package-lock.json is out of step with package.json: it lacks ${shown}`, fix };
}
