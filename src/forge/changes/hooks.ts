// What happens to webhooks of a repository: they are tried out when they are made and on demand.
import { readCommit } from '../commits.ts';
import type { Core } from '../core.ts';
import { repositoryFolder } from '../git.ts';
import { hookJson } from '../render/hook.ts';
import { addHook, type Hook, hears } from '../store/hooks.ts';
import type { Repository } from '../store/repositories.ts';
import { type By, emitTo } from './emit.ts';
import { branchHead } from './pulls.ts';
import { noCommit, pushPart } from './refs.ts';

export function openHook(
  core: Core,
  by: By,
  repository: Repository,
  settings: Pick<Hook, 'url' | 'content_type' | 'secret' | 'insecure_ssl' | 'events' | 'active'>,
): Hook {
  const hook = addHook(core, { ...settings, repository_id: repository.id });
  if (hook.active === 1) pingHook(core, by, repository, hook);
  return hook;
}

/** Sends `ping`, whatever events the hook wants. */
export const pingHook = (core: Core, by: By, repository: Repository, hook: Hook): void =>
  emitTo(core, by, repository, hook, 'ping', core => ({
    zen: 'Anything added dilutes everything else.',
    hook_id: hook.id,
    hook: hookJson(core, repository, hook),
  }));

/** Sends the last commit of the default branch as a push, to a hook that wants pushes. */
export async function testHook(core: Core, by: By, repository: Repository, hook: Hook): Promise<void> {
  const after = branchHead(core, repository, repository.default_branch);
  if (after === undefined || !hears(hook, 'push')) return;
  const commit = await readCommit(repositoryFolder(core, repository), after);
  const name = `refs/heads/${repository.default_branch}`;
  const move = { name, before: commit.parents[0] ?? noCommit, after };
  const part = await pushPart(core, by, repository, move, [commit]);
  emitTo(core, by, repository, hook, 'push', () => part);
}
