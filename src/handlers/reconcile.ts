// Level-triggered: looks at every open issue with the label and brings it up to date, whatever was missed meanwhile.
import type { Permission } from '../github/repository.ts';
import { loadRun } from '../run/comment-store.ts';
import { spokenIn } from '../run/inbox.ts';
import { answer } from './commented.ts';
import type { Desk } from './desk.ts';
import { begin, triggerLabel } from './labelled.ts';

/**
 * At the start of a process, and from time to time: begins what was not begun, goes on where it was left.
 * `thorough`: also runs that this process knows to be over or to wait for a person, which an event would tell of;
 * looking at all of them each minute would use up what GitHub allows.
 */
export async function reconcile(desk: Desk, thorough: boolean): Promise<void> {
  const label = await triggerLabel(desk);
  for (const issue of await desk.around.github.labelled(label)) {
    if ((desk.failures.get(issue)?.until ?? 0) > desk.clock.now()) continue;
    const known = desk.views.get(issue)?.status;
    if (!thorough && known !== undefined && known !== 'running') continue;
    await begin(desk, issue, label);
    const thread = await desk.around.github.thread(issue);
    const loaded = await loadRun(thread, { github: desk.around.github, keys: desk.keys });
    if (loaded.kind !== 'run') continue;
    const permissions = new Map<string, Permission>();
    for (const comment of spokenIn(thread, loaded.store.comment ?? 0))
      await answer(desk, thread, comment, permissions);
  }
}
