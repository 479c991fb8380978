// Another round on a delivered branch: who may want one, and its job, which begins where the branch stands now.
import { present } from '@echelon/ground';
import type { CommandSignal } from '../../commands/table.ts';
import {
  checksAreFlaky,
  checksAreRed,
  mendedTwice,
  noPullHere,
  nothingWanted,
  onlyTold,
  pullIsWip,
  redBefore,
  roundBegins,
} from '../../comments/round.ts';
import { engineerIsTold, isFinished, noEngineerHere, toldEnough } from '../../comments/redirect.ts';
import { quoted, quoteForModel } from '../../../engine/texts.ts';
import { commentOnce } from '../../github/once.ts';
import { makeItFit, sayWhat, troubleOf } from '../../comments/together.ts';
import { type Repository, suffices } from '../../github/repository.ts';
import type { ReviewThread } from '../../github/reviews.ts';
import { operationOf } from '../../scheduler/run-context.ts';
import { activeStates } from '../../scheduler/slots.ts';
import { jobSpec } from './start-attempt.ts';
import {
  type BatchContext,
  type FitStart,
  type Slot,
  slotOf,
  slotSpokenOn,
  stepsOf,
} from '../slots/context.ts';
import { changeIssue, move, tellJob } from '../slots/slot-changes.ts';
import type { FactValues } from '../slots/facts.ts';
import { fitOf, whyNoRound } from '../slots/fit.ts';
import type { AskedThread, Said } from '../jobs/job-spec.ts';

/** `/fix text` on a pull request, or `/fix #9 text` on the directive. */
export async function takeFix(ctx: BatchContext, command: CommandSignal<'fix'>): Promise<void> {
  const { by } = command.value;
  const { named, text } = namedBy(command.value);
  const cause = troubleOf(ctx.view)?.cause ?? [];
  const about = slotSpokenOn(ctx, named)?.issue.number;
  // Of branches that do not fit the one that is merged last is changed.
  const isPart = about !== undefined && cause.includes(about);
  const slot = slotOf(ctx, isPart ? cause.at(-1) : about);
  const noText = text === '' && !isPart ? sayWhat : undefined;
  // A command does not interfere with a person's own changes to the branch. Review comments wait until those end.
  const whyHeld = slot?.held && slot.view.pull !== null ? pullIsWip(slot.view.pull) : undefined;
  const why = slot ? (whyNoRound(slot) ?? whyHeld ?? noText) : noPullHere;
  if (why !== undefined) return await ctx.refuse(command, why);
  want(slot, [{ by, text: text || makeItFit, may: true }]);
  if (slot && isPart) slot.fits = cause.slice(0, -1);
  await ctx.accept(command);
}

/** On the directive it names the pull request, or the issue, that it is about: `/fix #9 text`. */
function namedBy({ on, text }: CommandSignal<'fix' | 'tell'>['value']): {
  named: number | undefined;
  text: string;
} {
  if (on !== undefined) return { named: on, text };
  const [all = '', number] = /^#(\d{1,9})(?:\s+|$)/.exec(text) ?? [];
  return { named: number === undefined ? undefined : Number(number), text: text.slice(all.length) };
}

/** Texts that the engineer of an issue is told, and characters of each. */
const MAX_TOLD = 10;
const MAX_TOLD_TEXT = 2000;

/** `/tell text` on an issue or its pull request, or `/tell #7 text` on the directive. */
export async function takeTell(ctx: BatchContext, command: CommandSignal<'tell'>): Promise<void> {
  const { on, text, named } = { ...command.value, ...namedBy(command.value) };
  const slot = slotSpokenOn(ctx, named);
  if (!slot || text === '') return await ctx.refuse(command, noEngineerHere);
  const { issue, state, failedWith, told = [], asks } = slot;
  const isOver = ['done', 'skipped', 'cancelled'].includes(state) || failedWith === 'closed';
  if (isOver) return await ctx.refuse(command, isFinished(issue.number));
  if (told.length >= MAX_TOLD) return await ctx.refuse(command, toldEnough(issue.number));
  slot.told = [...told, quoted(quoteForModel(text.slice(0, MAX_TOLD_TEXT)).text)];
  const key = `command/${command.id}`;
  const isAtWork = activeStates.has(state) && !asks;
  const hears = isAtWork && (await tellJob(ctx, slot, `${key}/told`));
  await ctx.accept(command);
  const body = engineerIsTold(issue.number, hears ? 'now' : isAtWork ? 'again' : 'next');
  await commentOnce(ctx.step, ctx.github, { key: `${key}/answer`, issue: on ?? ctx.view.issue, body });
}

/** One that requests changes, or speaks of lines, wants a round. */
export function takeReview(ctx: BatchContext, review: FactValues['review']): void {
  const slot = slotOf(ctx, review.pull);
  if (!slot || whyNoRound(slot) !== undefined) return;
  if (review.state !== 'CHANGES_REQUESTED' && review.threads === 0) return;
  const { by, body } = review;
  want(slot, body.trim() === '' ? [] : [{ by, text: body, may: true }]);
}

/** Rounds on end that checks may have before a person is told. */
const MAX_MENDING = 2;
/** Logs that an engineer is shown. */
const MAX_LOGS = 3;

type Failed = FactValues['check_state']['failed'];

/** The first look at a head counts. A head that somebody else pushed is theirs to mend. */
export async function takeCheckState(
  ctx: BatchContext,
  { pull, head, failed }: FactValues['check_state'],
): Promise<void> {
  const slot = slotOf(ctx, pull);
  if (slot?.delivered?.commit !== head || slot.view.merged || slot.theirs === head) return;
  // A round may change the head: what does not is looked at when it has ended.
  if (slot.round) return void (slot.round.checked = { pull, head, failed });
  if (failed.length === 0) return await takeGreen(ctx, slot, head);
  if (slot.red?.head === head) return;
  slot.red = { head, rounds: (slot.red?.rounds ?? 0) + 1 };
  const key = `issue/${slot.issue.number}/red-${head}`;
  const found = await ctx.step(key, async () => await logsOf(ctx, slot, failed));
  const why = whyTold(ctx, slot, found);
  if (why === undefined) return want(slot, found);
  const names = failed.map(({ name }) => name);
  await commentOnce(ctx.step, ctx.github, {
    key: `${key}/told`,
    issue: pull,
    body: checksAreRed(names, why),
  });
}

/** The reason for beginning no round, a clause. */
function whyTold({ config }: BatchContext, slot: Slot, found: readonly Said[]): string | undefined {
  if (found.length === 0) return redBefore;
  if (config.on_red === 'tell') return onlyTold;
  return present(slot.red, 'the checks').rounds > MAX_MENDING ? mendedTwice : whyNoRound(slot);
}

/** Each failed check that was not red before the change already, with its log. */
async function logsOf({ github, base }: BatchContext, slot: Slot, failed: Failed): Promise<Said[]> {
  const before = await github.checkState(present(slot.view.pull, 'it'), slot.stands?.commit ?? base.commit);
  const known = new Set(before.state === 'red' ? before.failed.map(({ name }) => name) : []);
  const logs: Said[] = [];
  for (const check of failed)
    if (logs.length < MAX_LOGS && !known.has(check.name))
      logs.push({
        ...{ by: null, may: true },
        text: `${check.name}: ${check.outcome}\n${await github.checkLog(check)}`,
      });
  return logs;
}

/** A check that was red at the same commit is flaky; a round for it that has not begun is not begun. */
async function takeGreen(ctx: BatchContext, slot: Slot, head: string): Promise<void> {
  const { red, wants } = slot;
  const isFlaky = red?.head === head && red.rounds > 0;
  if (red) red.rounds = 0;
  if (!isFlaky) return;
  const left = wants?.filter(({ by }) => by !== null) ?? [];
  if (left.length > 0 || slot.fits) slot.wants = left;
  else delete slot.wants;
  const [issue, key] = [present(slot.view.pull, 'it'), `issue/${slot.issue.number}/green-${head}`];
  await commentOnce(ctx.step, ctx.github, { key, issue, body: checksAreFlaky });
}

/** Characters of one text that an engineer is told. */
const MAX_TEXT = 6000;

function want(slot: Slot | undefined, said: readonly Said[]): void {
  if (!slot) return;
  // A person's word gives failed checks their rounds again.
  if (slot.red && said.some(({ by }) => by !== null)) slot.red.rounds = 0;
  slot.wants = [
    ...(slot.wants ?? []),
    ...said.map(each => ({ ...each, text: each.text.slice(0, MAX_TEXT) })),
  ];
}

type RoundStart =
  | {
      kind: 'started';
      head: string;
      asked: Said[];
      threads: AskedThread[];
      budget_usd: number;
      fit?: FitStart;
    }
  | { kind: 'nothing' };

/** Begins the round that is wanted, where there is anything to do. `budget`: what its job may cost (USD). */
export async function startRound(ctx: BatchContext, slot: Slot, budget: number): Promise<void> {
  const wants = slot.wants ?? [];
  const { fits } = slot;
  delete slot.wants;
  delete slot.fits;
  delete slot.undelivered;
  slot.rounds += 1;
  slot.round = { head: '', wanted: { asked: wants, threads: [] } };
  const key = `${stepsOf(slot)}/start`;
  const begun = await ctx.step(key, async () => {
    const start = await begin(ctx, slot, { wants, fits, budget });
    if (start.kind === 'nothing' || !fits) return start;
    const fit = await fitOf(ctx, start.head, fits);
    if (!fit && start.asked.length + start.threads.length === 0) return { kind: 'nothing' as const };
    return { ...start, ...(fit && { fit }) };
  });
  if (begun.kind === 'nothing') {
    delete slot.round;
    changeIssue(ctx, slot, { reason: nothingWanted });
    return;
  }
  const { head, asked, threads, budget_usd, fit } = begun;
  const wanted = { asked, threads, ...(fit && { fit: fit.told }) };
  slot.round = { head, wanted, ...(fit && { fit }) };
  slot.op = operationOf(ctx, key);
  ctx.outstanding.set(slot.op, jobSpec(ctx, slot, { op: slot.op, budget_usd }));
  move(ctx, slot, 'running', roundBegins(slot.rounds));
}

/** Reads the pull request as it is now: its head, and what of its threads waits for an answer. */
async function begin(
  { github, mirror }: BatchContext,
  { view }: Slot,
  { wants, fits, budget }: { wants: readonly Said[]; fits: number[] | undefined; budget: number },
): Promise<RoundStart> {
  const pull = view.pull === null ? undefined : await github.pull(view.pull);
  if (pull?.state !== 'open') return { kind: 'nothing' };
  const may = permissions(github);
  const asked: Said[] = [];
  for (const each of wants) asked.push({ ...each, may: each.by === null || (await may(each.by)) });
  const threads = await askedThreads(pull.threads, github.bot, may);
  if (threads.length === 0 && !asked.some(each => each.may) && !fits) return { kind: 'nothing' };
  const head = pull.head.commit;
  const known = await mirror();
  // Somebody may have pushed since this process looked.
  if ((await known.resolve(head)) === undefined) await known.fetch();
  return { kind: 'started', head, asked, threads, budget_usd: budget };
}

/** Threads that a round takes up, comments of each that are told (the newest), and characters of a diff. */
const MAX_THREADS = 30;
const MAX_COMMENTS = 10;
const MAX_HUNK = 3000;

/** Threads in which somebody with write access has said something since they were answered last. */
async function askedThreads(
  threads: readonly ReviewThread[],
  bot: string,
  may: (login: string) => Promise<boolean>,
): Promise<AskedThread[]> {
  const found: AskedThread[] = [];
  for (const { id, first, path, line, hunk, resolved, comments } of threads) {
    if (found.length === MAX_THREADS) break;
    const answered = comments.findLastIndex(({ author }) => author === bot);
    const since = comments.slice(answered + 1);
    if (resolved || since.length === 0) continue;
    const said: Said[] = [];
    for (const { author, bot: isBot, body } of comments.slice(-MAX_COMMENTS))
      said.push({ by: author, text: body.slice(0, MAX_TEXT), may: !isBot && (await may(author)) });
    if (said.slice(-since.length).some(each => each.may))
      found.push({ id, first, path, line, hunk: hunk.slice(-MAX_HUNK), said });
  }
  return found;
}

/** People who are asked about; whoever comes after them counts as one without write access. */
const MAX_PEOPLE = 20;

/** True if somebody may write to the repository now; each person is looked up once. */
function permissions(github: Repository): (login: string) => Promise<boolean> {
  const known = new Map<string, boolean>();
  return async login => {
    if (!known.has(login) && known.size < MAX_PEOPLE)
      known.set(login, suffices(await github.permission(login), 'write'));
    return known.get(login) ?? false;
  };
}
