// Someone wrote a comment: commands are acknowledged at once, answered where they only ask, and else taken in by the run.
import { helpText } from '../commands/help.ts';
import { type Command, parseCommands } from '../commands/parse.ts';
import { statusReply } from '../comments/board.ts';
import { noRun, notAvailable, notPermitted, problemReply } from '../comments/replies.ts';
import { saidBefore, sayOnce } from '../github/once.ts';
import type { Permission } from '../github/repository.ts';
import type { Comment, Thread } from '../github/thread.ts';
import { loadRun } from '../run/comment-store.ts';
import { peek } from '../run/peek.ts';
import { available, commandsIn, interrupts, needs, reading, suffices } from '../run/inbox.ts';
import { type Desk, driveSoon } from './desk.ts';
import { begin, triggerLabel } from './labelled.ts';

/** A new comment by a person on an issue. */
export async function commented(
  desk: Desk,
  issue: number,
  comment: { id: number; body: string; by: string },
): Promise<void> {
  const { github } = desk.around;
  const commands = commandsIn(comment);
  const { problems } = parseCommands(comment.body);
  if (commands.length + problems.length === 0) return;
  const changing = commands.filter(({ name }) => available.has(name) && !reading.has(name));
  const asking = commands.length > changing.length || problems.length > 0;
  const permission = changing.length > 0 ? await github.permission(comment.by) : 'none';
  const followed = changing.filter(({ name }) => suffices(permission, name));
  // A run this process has driven is known; otherwise, and for every question, the issue is read once.
  const known = desk.views.has(issue);
  let label: string | undefined;
  if (asking || followed.length < changing.length || !known) {
    const thread = await github.thread(issue);
    const spoken = thread.comments.find(each => each.id === comment.id);
    if (!spoken || spoken.editedBy !== null) return;
    await answer(desk, thread, spoken);
    if (!known && (await loadRun(thread, { github, keys: desk.keys })).kind === 'none') {
      label = await triggerLabel(desk);
      // Other bots have commands of the same names: where there is neither run nor label, this one is not meant.
      if (!thread.labels.includes(label)) return;
    }
  }
  if (followed.length === 0) return;
  await github.react(comment.id, 'eyes');
  if (followed.some(({ name }) => interrupts.includes(name)))
    desk.queue.interrupt(issue, 'a person ended the run');
  // Where the label is on, a run is about to begin: it takes in what was said since.
  await (label === undefined ? driveSoon(desk, issue) : begin(desk, issue, label));
}

/** Comments by the bot on one issue past which it does not answer questions any more. */
const MAX_COMMENTS = 200;

/** Answers what needs no run to move, in one comment, once. `permissions`: those that were asked for already. */
export async function answer(
  desk: Desk,
  thread: Thread,
  comment: Comment,
  permissions = new Map<string, Permission>(),
): Promise<void> {
  const { github } = desk.around;
  const key = `answer/${comment.id}`;
  const commands = commandsIn(comment);
  const { problems } = parseCommands(comment.body);
  if (commands.length + problems.length === 0 || saidBefore(github, thread, key).at !== undefined) return;
  if (thread.comments.filter(each => each.author === github.bot).length >= MAX_COMMENTS) return;
  const loaded = await loadRun(thread, { github, keys: desk.keys });
  const run = loaded.kind === 'run' ? loaded.store : undefined;
  // Other bots have commands of the same names: without a run only what is addressed to this one is answered.
  if (!run && !/^\s*\/echelon\b/m.test(comment.body)) return;
  const taken = (line: number) =>
    run?.entries.some(entry => entry.t === 'signal' && entry.id === `c${comment.id}-${line}`) ?? false;
  const parts: string[] = problems.length > 0 ? [problemReply(problems)] : [];
  let refused = problems.length > 0;
  for (const { name, line } of distinct(commands)) {
    if (name === 'help') parts.push(helpText({ available }));
    else if (name === 'status') parts.push(run ? statusReply(await peek(run, desk.around)) : noRun);
    else if (!available.has(name)) {
      parts.push(notAvailable(name));
      refused = true;
    } else if (!run) {
      parts.push(noRun);
      refused = true;
    } else if (!taken(line)) {
      const permission = permissions.get(comment.author) ?? (await github.permission(comment.author));
      permissions.set(comment.author, permission);
      if (suffices(permission, name)) continue;
      parts.push(notPermitted(comment.author, name, permission, needs(name)));
      refused = true;
    }
  }
  if (parts.length === 0) return;
  await github.react(comment.id, refused ? 'confused' : 'rocket');
  await sayOnce(github, thread, { key, body: [...new Set(parts)].join('\n\n') });
}

/** The first of each name: saying a thing twice asks it once. */
const distinct = (commands: readonly Command[]) =>
  commands.filter((command, index) => commands.findIndex(each => each.name === command.name) === index);
