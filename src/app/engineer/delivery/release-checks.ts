// Checks of a pull request start when somebody with write access has read it: by /checks, a review, or marking it as ready.
import { present } from '@echelon/ground';
import { type CommitRead, readCommit } from '@echelon/ground/workspace';
import type { CommandSignal } from '../../commands/table.ts';
import {
  checksNotStarted,
  checksWaitForGitHub,
  nothingHeld,
  noPullForChecks,
  roundUnderWay,
  pullIsClosed,
  pullIsMerged,
} from '../../comments/round.ts';
import { pullBody } from '../../comments/pull.ts';
import { marked, commentOnce } from '../../github/once.ts';
import { type BatchContext, type Slot, slotOf } from '../slots/context.ts';
import type { FactValues } from '../slots/facts.ts';
import { isHeld, withoutHold } from './held-checks.ts';
import { findSent, type Sent, sendCommit } from './send-commit.ts';
import { carryUp } from './stacked.ts';

/** `/checks` on a pull request, or `/checks #9` on the directive. */
export async function takeChecks(ctx: BatchContext, command: CommandSignal<'checks'>): Promise<void> {
  const { pull, on } = command.value;
  const slot = slotOf(ctx, pull ?? on);
  const why = whyNotReleased(slot);
  if (why !== undefined || !slot) return await ctx.refuse(command, why ?? noPullForChecks);
  await ctx.accept(command);
  await releaseChecks(ctx, slot, command.at);
}

function whyNotReleased(slot: Slot | undefined): string | undefined {
  if (!slot?.delivered || slot.view.pull === null) return noPullForChecks;
  const { pull, merged } = slot.view;
  if (merged) return pullIsMerged(pull);
  if (slot.state === 'failed') return pullIsClosed(pull);
  if (slot.round) return roundUnderWay;
  if (slot.checksHeld) return undefined;
  return slot.delivered.text.checksWait ? checksWaitForGitHub : nothingHeld;
}

/** Somebody with write access has read the change: its head commit is made again without the trailer, which starts the checks. */
async function releaseChecks(ctx: BatchContext, slot: Slot, at: number): Promise<void> {
  if (!slot.checksHeld || !slot.delivered || slot.round) return;
  const { branch, commit: head } = slot.delivered;
  slot.releases = (slot.releases ?? 0) + 1;
  const key = `issue/${slot.issue.number}/checks-${slot.releases}`;
  const what = async () => ({ branch, commit: await withoutTrailer(ctx, head, at), expect: head });
  await ctx.intend([key]);
  const sent = await ctx.step<Sent>(key, async () => await sendCommit(ctx, await what(), false), {
    find: async () => {
      const found = await findSent(ctx, await what());
      return found && 'held' in found ? undefined : found;
    },
  });
  if ('refused' in sent) return await tellRefused(ctx, slot, key, sent);
  delete slot.checksHeld;
  slot.delivered = { ...slot.delivered, commit: sent.commit };
  await ctx.step(`${key}/text`, () => rewriteText(ctx, slot));
  await carryUp(ctx, slot, at);
}

/** If somebody pushed meanwhile, the checks have begun with that push. */
async function tellRefused(
  { step, github }: BatchContext,
  { view }: Slot,
  key: string,
  { refused, elsewhere }: Extract<Sent, { refused: string }>,
): Promise<void> {
  if (elsewhere) return;
  const issue = present(view.pull, 'the pull request');
  await commentOnce(step, github, { key: `${key}/refused`, issue, body: checksNotStarted(refused) });
}

/** Checks are held no more by a head that somebody pushed: GitHub starts them on it. */
export async function takePushedHead(ctx: BatchContext, slot: Slot): Promise<void> {
  if (!slot.checksHeld || !slot.delivered) return;
  const { commit } = slot.delivered;
  const key = `issue/${slot.issue.number}/head-${commit}`;
  const begun = await ctx.step(key, async () => {
    const head = await readHead(ctx, commit);
    return head !== undefined && !isHeld(head.message);
  });
  if (!begun) return;
  delete slot.checksHeld;
  await ctx.step(`${key}/text`, () => rewriteText(ctx, slot));
}

/** Undefined: the branch has left it meanwhile. */
async function readHead(ctx: BatchContext, head: string): Promise<CommitRead | undefined> {
  const mirror = await ctx.mirror();
  if ((await mirror.resolve(head)) === undefined) await mirror.fetch();
  return (await mirror.resolve(head)) === undefined ? undefined : await readCommit(mirror, head);
}

async function withoutTrailer(ctx: BatchContext, head: string, at: number): Promise<string> {
  const { tree, parents, message } = present(await readHead(ctx, head), 'the head of the branch');
  return await (await ctx.mirror()).commitTree({
    ...{ tree, parents, message: withoutHold(message) },
    // Later than the change: of the same second it would be the very commit that was sent with the trailer.
    date: new Date(at + 1000).toISOString(),
  });
}

/** Brings the text of the pull request up to date, unless a person has written in it: then it is theirs. */
export async function rewriteText({ github }: BatchContext, slot: Slot): Promise<boolean> {
  const { text, op } = present(slot.delivered, 'the branch');
  const number = present(slot.view.pull, 'the pull request');
  const { editedBy } = (await github.pull(number)) ?? { editedBy: 'ghost' };
  if (editedBy !== null && editedBy !== github.bot) return false;
  const now = { ...text, checksHeld: slot.checksHeld ?? false };
  return 'changed' in (await github.changePull(number, { body: marked(pullBody(now), op) }));
}

/** A review of the head that asks for nothing says that the change was read. */
export async function takeReadReview(
  ctx: BatchContext,
  { pull, state, commit }: FactValues['review'],
  at: number,
): Promise<void> {
  const slot = slotOf(ctx, pull);
  if (!slot || slot.wants !== undefined || slot.delivered?.commit !== commit) return;
  if (state === 'APPROVED' || state === 'COMMENTED') await releaseChecks(ctx, slot, at);
}

/** Only a draft can be marked: one that was opened as ready has not been read by that. */
export async function takeReady(ctx: BatchContext, pull: number, at: number): Promise<void> {
  const slot = slotOf(ctx, pull);
  if (slot?.delivered?.draft) await releaseChecks(ctx, slot, at);
}
