// The files of an action, got from a repository of the forge.
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { git, resolveCommit } from '../git.ts';
import type { ActionReference } from './action-reference.ts';
import type { JobState } from './job-state.ts';

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
