// Someone wrote a comment: commands are acknowledged at once, answered where they only ask, and else taken in by the run.
import { parseCommands } from '../commands/parse.ts';
import { interrupts } from '../commands/signal.ts';
import { commands as rows } from '../commands/table.ts';
import { editsDoNotCount } from '../comments/replies.ts';
import { sayOnce } from '../github/once.ts';
import { commandsIn, suffices } from '../run/receive-signals.ts';
import { answer, type Ground, groundOf } from './answer.ts';
import { type RepositoryContext, advanceSoon } from './repository-context.ts';
import { elsewhere, partOf, type Spoken } from './other-threads.ts';
import { isHeard } from './listening-limits.ts';
import { begin } from './labelled.ts';

/** A new comment by a person on an issue. */
export async function commented(ctx: RepositoryContext, issue: number, comment: Spoken): Promise<void> {
  const { github } = ctx;
  const commands = commandsIn(comment);
  const { problems } = parseCommands(comment.body);
  if (commands.length + problems.length === 0) return;
  if (!(await isHeard(ctx, issue, comment))) return;
  const changing = commands.filter(({ name }) => rows[name].kind === 'changes');
  const asking = commands.length > changing.length || problems.length > 0;
  const permission = changing.length > 0 ? await github.permission(comment.author) : 'none';
  const followed = changing.filter(({ name }) => suffices(permission, rows[name].who));
  // A run this process has advanced is known; otherwise, and for every question, the issue is read once.
  let label: string | undefined;
  if (asking || followed.length < changing.length || !ctx.views.has(issue)) {
    const ground = await groundOf(ctx, issue);
    if (!ground.hasRecord && ground.label === undefined && (await partOf(ctx, ground.thread)) !== undefined)
      return await elsewhere(ctx, issue, comment);
    label = ground.label;
    // A run that is about to begin takes in what was said; what is left then is answered.
    if (label === undefined || followed.length === 0) await answerTo(ctx, ground, comment.id);
    // Other bots have commands of the same names: where there is neither run nor label, this one is not meant.
    if (!ground.hasRecord && label === undefined) return;
  }
  if (followed.length === 0) return;
  // Before it is answered: who sees the answer may rely on nothing new being begun.
  if (followed.some(({ name }) => interrupts.some(each => each === name)))
    ctx.queue.interrupt(issue, 'a person ended the run');
  else ctx.queue.makeWay(issue);
  await github.react(comment.id, 'eyes');
  if (label === undefined) return await advanceSoon(ctx, issue);
  await begin(ctx, issue, label);
  await answerTo(ctx, await groundOf(ctx, issue), comment.id);
}

/** Answers a comment as it stands there now; one that was edited meanwhile is not read. */
async function answerTo(ctx: RepositoryContext, ground: Ground, comment: number): Promise<void> {
  const spoken = ground.thread.comments.find(each => each.id === comment);
  if (spoken && spoken.editedBy === null) await answer(ctx, ground, spoken);
}

/** A person changed a comment: a command that came into it so is not followed, and that is said, once. */
export async function edited(
  ctx: RepositoryContext,
  issue: number,
  comment: Spoken,
  before: string,
): Promise<void> {
  const old = new Set(commandsIn({ body: before }).map(({ line, ...said }) => JSON.stringify(said)));
  const isNew = commandsIn(comment).some(({ line, ...said }) => !old.has(JSON.stringify(said)));
  const met = ctx.hearing.edited;
  if (!isNew || met.has(comment.id) || !(await isHeard(ctx, issue, comment))) return;
  met.add(comment.id);
  await tellOfEdit(ctx, issue, comment).catch(error => {
    met.delete(comment.id);
    throw error;
  });
}

async function tellOfEdit(ctx: RepositoryContext, issue: number, comment: Spoken): Promise<void> {
  const { github } = ctx;
  const { author, body, labels } = await github.issue(issue);
  const isPart = (await partOf(ctx, { number: issue, author, body })) !== undefined;
  if (!isPart && !ctx.views.has(issue)) {
    const { hasRecord, label } = labels.length > 0 ? await groundOf(ctx, issue) : { hasRecord: false };
    if (!hasRecord && label === undefined) return;
  }
  const place = { number: issue, comments: await github.comments(issue) };
  await sayOnce(github, place, { key: `edited/${comment.id}`, body: editsDoNotCount });
}
