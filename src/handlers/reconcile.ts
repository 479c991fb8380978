// Level-triggered: looks at every open issue with the label and brings it up to date, whatever was missed meanwhile.
import type { Permission } from '../github/repository.ts';
import { loadRun } from '../run/comment-store.ts';
import { spokenIn } from '../run/inbox.ts';
import { answer } from './commented.ts';
import type { Desk } from './desk.ts';
import { labelled, triggerLabel } from './labelled.ts';

/** At the start of a process, and from time to time: begins what was not begun, goes on where it was left. */
export async function reconcile(desk: Desk): Promise<void> {
  const label = await triggerLabel(desk);
  for (const issue of await desk.around.github.labelled(label)) {
    if ((desk.failures.get(issue)?.until ?? 0) > desk.clock.now()) continue;
    await labelled(desk, issue, label);
    const thread = await desk.around.github.thread(issue);
    const loaded = await loadRun(thread, { github: desk.around.github, keys: desk.keys });
    if (loaded.kind !== 'run') continue;
    const permissions = new Map<string, Permission>();
    for (const comment of spokenIn(thread, loaded.store.comment ?? 0))
      await answer(desk, thread, comment, permissions);
  }
}
