// Someone wrote a comment: commands are acknowledged at once, answered where they only ask, and else taken in by the run.
import { helpText } from '../commands/help.ts';
import { parseCommands } from '../commands/parse.ts';
import { statusReply } from '../comments/board.ts';
import { noRun, notAvailable, notPermitted, problemReply } from '../comments/replies.ts';
import { sayOnce } from '../github/once.ts';
import type { Comment, Thread } from '../github/thread.ts';
import { loadRun } from '../run/comment-store.ts';
import { peek } from '../run/drive.ts';
import { available, interrupts, needs, reading, suffices } from '../run/inbox.ts';
import { type Desk, driveSoon } from './desk.ts';

/** A new comment by a person on an issue. */
export async function commented(
  desk: Desk,
  issue: number,
  comment: { id: number; body: string; by: string },
): Promise<void> {
  const { github } = desk.around;
  const { commands, problems } = parseCommands(comment.body);
  if (commands.length + problems.length === 0) return;
  const changing = commands.filter(({ name }) => available.has(name) && !reading.has(name));
  const asking = commands.length > changing.length || problems.length > 0;
  const permission = changing.length > 0 ? await github.permission(comment.by) : 'none';
  const followed = changing.filter(({ name }) => suffices(permission, name));
  // A run this process has driven is known; otherwise, and for every question, the issue is read once.
  const known = desk.views.has(issue);
  if (asking || followed.length < changing.length || !known) {
    const thread = await github.thread(issue);
    const spoken = thread.comments.find(each => each.id === comment.id);
    if (!spoken || spoken.editedBy !== null) return;
    await answer(desk, thread, spoken);
    // Other bots have commands of the same names: where there is no run, this one is not meant.
    if (!known && (await loadRun(thread, { github, keys: desk.keys })).kind === 'none') return;
  }
  if (followed.length === 0) return;
  await github.react(comment.id, 'eyes');
  if (followed.some(({ name }) => interrupts.includes(name)))
    desk.queue.interrupt(issue, 'a person ended the run');
  await driveSoon(desk, issue);
}

/** Answers what needs no run to move, in one comment, once. */
export async function answer(desk: Desk, thread: Thread, comment: Comment): Promise<void> {
  const { github } = desk.around;
  const { commands, problems } = parseCommands(comment.body);
  const loaded = await loadRun(thread, { github, keys: desk.keys });
  const run = loaded.kind === 'run' ? loaded.store : undefined;
  // Other bots have commands of the same names: without a run only what is addressed to this one is answered.
  if (!run && !/^\s*\/echelon\b/m.test(comment.body)) return;
  const parts: string[] = [];
  let refused = problems.length > 0;
  if (problems.length > 0) parts.push(problemReply(problems));
  for (const { name } of commands) {
    if (!available.has(name)) {
      parts.push(notAvailable(name));
      refused = true;
    } else if (name === 'help') parts.push(helpText({ available }));
    else if (name === 'status') parts.push(run ? statusReply(await peek(run, desk.around)) : noRun);
    else if (!run) {
      parts.push(noRun);
      refused = true;
    } else {
      const permission = await github.permission(comment.author);
      if (suffices(permission, name)) continue;
      parts.push(notPermitted(comment.author, name, permission, needs(name)));
      refused = true;
    }
  }
  if (parts.length === 0) return;
  await github.react(comment.id, refused ? 'confused' : 'rocket');
  await sayOnce(github, thread, { key: `answer/${comment.id}`, body: [...new Set(parts)].join('\n\n') });
}
