// Where a step's action comes from: what `uses` means, and its files on disk.
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { git, resolveCommit } from '../git.ts';
import type { JobState } from './job-state.ts';

/** What the forge does by itself, whatever the ref. */
const builtInNames = ['checkout', 'upload-artifact', 'download-artifact', 'setup-node'] as const;
export type BuiltInName = (typeof builtInNames)[number];

export type ActionReference =
  | { kind: 'built-in'; name: BuiltInName }
  /** `./path`: in the job's checkout, at the time of the step. */
  | { kind: 'local'; path: string }
  /** `$/path`: in the repository of the workflow file, at its commit. */
  | { kind: 'self'; path: string }
  /** `owner/name/path@ref`. */
  | { kind: 'repository'; repository: string; path: string; ref: string };

/** Reads `uses`; a sentence where it is not supported. */
export function readReference(uses: string): ActionReference | string {
  const local = /^(\.|\$)(?:\/(.*))?$/.exec(uses);
  if (local) {
    const path = local[2] ?? '';
    if (path.split('/').includes('..')) return `"${uses}" leads out of its repository.`;
    return { kind: local[1] === '$' ? 'self' : 'local', path };
  }
  if (uses.startsWith('docker://')) return "containers are not supported by the forge's runner";
  const [, owner, name, path = '', ref] = /^([\w.-]+)\/([\w.-]+)((?:\/[^@]+)?)@(.+)$/.exec(uses) ?? [];
  if (owner === undefined || name === undefined || ref === undefined || path.split('/').includes('..'))
    return `"${uses}" is no action: write owner/name@ref, ./path or $/path.`;
  const builtIn = builtInNames.find(each => owner === 'actions' && each === name && path === '');
  if (builtIn) return { kind: 'built-in', name: builtIn };
  if (owner === 'actions')
    return `"${uses}" is not built in; of actions/ there are ${builtInNames.join(', ')}.`;
  return { kind: 'repository', repository: `${owner}/${name}`, path: path.slice(1), ref };
}

/**
 * Gets the tree of an action's repository into a folder of the job and gives the folder of the action in it. Throws, in a
 * sentence, when the forge has no such repository or commit.
 */
export async function fetchAction(
  state: JobState,
  reference: Extract<ActionReference, { kind: 'self' | 'repository' }>,
): Promise<string> {
  const { origin } = state.job;
  const { repository, ref } =
    reference.kind === 'self' ? { repository: origin.repository, ref: origin.sha } : reference;
  const bare = state.host.actionRepository(repository);
  if (bare === undefined)
    throw new Error(`The forge has no repository ${repository} that this job may take an action from.`);
  const sha = await resolveCommit(bare, ref);
  if (sha === undefined) throw new Error(`The repository ${repository} has no ${ref}.`);
  const folder = join(state.folders.actions, ...repository.split('/'), sha);
  await mkdir(folder, { recursive: true });
  const index = join(state.folders.actions, randomUUID());
  const variables = { GIT_INDEX_FILE: index };
  await git(bare, ['read-tree', sha], { variables });
  await git(bare, [`--work-tree=${folder}`, 'checkout-index', '--all', '--force', `--prefix=${folder}/`], {
    variables,
  });
  await rm(index, { force: true });
  return join(folder, reference.path);
}
