// Answers what needs no run to move: questions, slips, and commands of people who may not give them.
import type { Changing, Command } from '../commands/command.ts';
import type { ParsedComment, Spoken } from '../commands/parse.ts';
import { commands as rows, table } from '../commands/table.ts';
import { noRun, notBegun, notPermitted, problemReply } from '../comments/replies.ts';
import type { RunView } from '../comments/view.ts';
import { hasLabel } from '../github/issues.ts';
import { type ThreadComments, saidBefore, sayOnce } from '../github/once.ts';
import { type Permission, suffices } from '../github/repository.ts';
import { loadRun } from '../run/read-record.ts';
import { inspectRun } from '../run/inspect-run.ts';
import type { RepositoryContext } from './repository-context.ts';
import { answerKey } from './listening-limits.ts';
import { triggerLabel } from './labelled.ts';

/** An issue as an answer needs it. */
export type Ground = Awaited<ReturnType<typeof groundOf>>;

export async function groundOf(ctx: RepositoryContext, issue: number) {
  const { github } = ctx;
  const thread = await github.thread(issue);
  const loaded = await loadRun(thread, ctx);
  const run = loaded.kind === 'run' ? loaded.store : undefined;
  const hasRecord = loaded.kind !== 'none';
  const label = hasRecord || thread.labels.length === 0 ? undefined : await triggerLabel(ctx, ctx.mirror);
  return {
    thread,
    run,
    /** There is a record, even if it cannot be relied on. */
    hasRecord,
    /** The label that begins a run, where the issue carries it and has none. */
    label: label !== undefined && hasLabel(thread.labels, label) ? label : undefined,
  };
}

/** Of a comment that stands as it was written: in one comment, once. `permissions`: those that were asked for already. */
export async function answer(
  ctx: RepositoryContext,
  { thread, run, label }: Ground,
  comment: Spoken,
  permissions = new Map<string, Permission>(),
): Promise<void> {
  const { github } = ctx;
  const key = answerKey(comment.id);
  if (thread.comments.find(({ id }) => id === comment.id)?.editedBy !== null) return;
  const isOurs = run !== undefined || label !== undefined;
  // Other bots have commands of the same names: without a run only what is addressed to this one is answered.
  if (!isOurs && !addressed.test(comment.body)) return;
  const { commands } = comment;
  // A bare word that is nearly a command counts only where it must be meant for us.
  const problems = comment.problems.filter(({ bare }) => isOurs || !bare);
  if (commands.length + problems.length === 0 || saidBefore(github, thread, key).at !== undefined) return;
  const taken = new Set(run?.entries.map(entry => entry.t === 'signal' && entry.id));
  const none = label === undefined ? noRun : notBegun;
  const said = await answersTo(
    { commands, problems },
    {
      say: async say => (run ? say(await inspectRun(run, ctx)) : none),
      async whyNot({ name, who }, line) {
        if (!run) return none;
        if (taken.has(`c${comment.id}-${line}`)) return undefined;
        const permission = permissions.get(comment.author) ?? (await github.permission(comment.author));
        permissions.set(comment.author, permission);
        return suffices(permission, who) ? undefined : notPermitted(comment.author, name, permission, who);
      },
    },
  );
  await respond(ctx, thread, comment.id, said);
}

/** The place of a comment: `say` tells something of its run, `whyNot` the reason that a command is not passed to it. */
interface Here {
  say(of: (view: RunView) => string): Promise<string>;
  whyNot(row: Changing, line: number): Promise<string | undefined>;
}

/** The parts of the answer to a comment, and whether any of its commands is passed to the run, or refused. */
export async function answersTo({ commands, problems }: ParsedComment, { say, whyNot }: Here) {
  const parts = problems.length > 0 ? [problemReply(problems)] : [];
  const said = { parts, refused: problems.length > 0, followed: false };
  const names = new Set<string>();
  for (const { name, line } of commands) {
    const row: Command = rows[name];
    // Saying a thing twice asks it once.
    if (names.has(name)) continue;
    names.add(name);
    if (row.kind === 'reads')
      parts.push(row.answers.of === 'run' ? await say(row.answers.say) : row.answers.say(table));
    else {
      const why = await whyNot(row, line);
      if (why === undefined) said.followed = true;
      else {
        parts.push(why);
        said.refused = true;
      }
    }
  }
  return said;
}

/** Reacts to the comment and answers it, once. */
export async function respond(
  ctx: RepositoryContext,
  place: ThreadComments,
  comment: number,
  { parts, refused }: { parts: readonly string[]; refused: boolean },
): Promise<void> {
  const { github } = ctx;
  if (parts.length === 0) return;
  await github.react(comment, refused ? 'confused' : 'rocket');
  await sayOnce(github, place, { key: answerKey(comment), body: [...new Set(parts)].join('\n\n') });
}

/** Before a label only `/dry-run` has a meaning. */
const addressed = /^\s*\/(?:echelon|dry-run)\b/m;

/** True if a comment contains a command, even a misspelt one. */
export const isCommand = ({ commands, problems }: ParsedComment): boolean =>
  commands.length + problems.length > 0;
