// Looks at a sub-issue or a pull request of a run as it is now, and makes facts of what the run does not know of.
import { needsPlace } from '../comments/round.ts';
import { labelledWip } from '../comments/issue-end.ts';
import { type FactName, type FactValues, isWip, whyTaken } from '../engineer/slots/facts.ts';
import { checkName } from '../github/checks.ts';
import type { PullRequest } from '../github/reviews.ts';
import { type Repository, suffices } from '../github/repository.ts';
import type { Thread } from '../github/thread.ts';
import type { ActiveRun } from './active-run.ts';
import type { Delivery } from './receive-signals.ts';

/** Characters of a review that are kept: its threads are read when a round begins. */
const MAX_BODY = 6000;

/** Reviews of one pull request that are taken in at one look. */
const MAX_REVIEWS = 20;

type Known = (id: string) => boolean;

/** The present state as signals whose ids name it; `known`: the ids that the journal has. */
export async function observe(
  part: Thread,
  directive: Thread,
  github: Repository,
  known: Known,
): Promise<Delivery[]> {
  if (part.isPull) return await ofPull(part, github, known);
  return await (part === directive ? ofDirective(part, github) : ofIssue(part, github, known));
}

function fact<Name extends FactName>(id: string, name: Name, value: FactValues[Name]): Delivery {
  return { id, name, value };
}

/** Of an issue that cannot be looked at any more. */
export const goneFact = (issue: number): Delivery => fact(`gone-${issue}`, 'issue_gone', { issue });

/** A place in the repository for the next pull request of the run, where finished work waits for one. */
export async function placeFact({ github, journal, config, view }: ActiveRun): Promise<Delivery[]> {
  if (!needsPlace(view) || (await github.openPulls()) >= config.limits.open_drafts.repository) return [];
  return [fact(`place-${journal.entries.length}`, 'place', {})];
}

async function ofDirective({ number, state }: Thread, github: Repository): Promise<Delivery[]> {
  if (state === 'open') return [];
  const { closed } = await github.issue(number);
  return closed ? [fact('directive-closed', 'directive_closed', { by: closed.by })] : [];
}

async function ofIssue({ number, state }: Thread, github: Repository, known: Known): Promise<Delivery[]> {
  const now = await github.issue(number);
  const facts = takenOrNot(number, await whyTaken(github, number, now), known);
  const turn = turnOf(number, closing, state === 'closed', known);
  if (turn === undefined) return facts;
  if (state === 'open') return [...facts, fact(turn, 'issue_reopened', { issue: number })];
  const { closed } = now;
  return closed ? [...facts, fact(turn, 'issue_closed', { issue: number, by: closed.by })] : facts;
}

function takenOrNot(number: number, why: string | undefined, known: Known): Delivery[] {
  const turn = turnOf(number, taking, why !== undefined, known);
  if (turn === undefined) return [];
  return [why === undefined ? fact(turn, 'given_back', { number }) : fact(turn, 'taken', { number, why })];
}

async function ofPull({ number, labels }: Thread, github: Repository, known: Known): Promise<Delivery[]> {
  const pull = await github.pull(number);
  if (!pull) return [];
  const { commit: head } = pull.head;
  const facts = [
    fact(`head-${number}-${head}`, 'pushed', { pull: number, head }),
    ...(await reviewsOf(pull, github, known)),
    ...(pull.draft ? [] : [fact(`ready-${number}`, 'marked_ready', { pull: number })]),
    ...takenOrNot(number, labels.some(isWip) ? labelledWip : undefined, known),
  ];
  if (pull.conflicts) facts.push(fact(`conflict-${number}-${head}`, 'conflict', { pull: number, head }));
  if (pull.state === 'open') facts.push(...(await checksOf(pull, github, known)));
  if (pull.state === 'merged')
    return [...facts, fact(`merged-${number}`, 'merged', { pull: number, by: pull.mergedBy ?? 'ghost' })];
  const turn = turnOf(number, closing, pull.state === 'closed', known);
  if (turn === undefined) return facts;
  if (pull.state === 'open') return [...facts, fact(turn, 'pull_reopened', { pull: number })];
  const { closed } = await github.issue(number);
  return closed ? [...facts, fact(turn, 'pull_closed', { pull: number, by: closed.by })] : facts;
}

/** Failed checks of one head that are taken in, and characters of a name. */
const MAX_CHECKS = 20;
const MAX_NAME = 200;

/** Outcomes that a change may mend; the others wait for a person, or say nothing of the code. */
const mendable: ReadonlySet<string> = new Set(['failure', 'timed_out', 'startup_failure', 'error']);

/** Of others than the product itself; nothing while none has failed and some are under way. */
async function checksOf(
  { number: pull, head }: PullRequest,
  github: Repository,
  known: Known,
): Promise<Delivery[]> {
  const { commit } = head;
  const now = await github.checkState(pull, commit);
  if (now.state !== 'green' && now.state !== 'red') return [];
  const failed = (now.state === 'red' ? now.failed : [])
    .filter(({ name, outcome }) => mendable.has(outcome) && name !== checkName)
    .slice(0, MAX_CHECKS)
    .map(({ name, url, outcome }) => ({ name: name.slice(0, MAX_NAME), url, outcome }));
  if (now.state === 'red' && failed.length === 0) return [];
  const turn = turnOf(commit, checking, failed.length > 0, known) ?? `checks-green-${commit}`;
  if (failed.length > 0 && turn.startsWith('checks-green-')) return [];
  return [fact(turn, 'check_state', { pull, head: commit, failed })];
}

/** Those of people who may write now: what others write is read with the threads, as their words. */
async function reviewsOf(pull: PullRequest, github: Repository, known: Known): Promise<Delivery[]> {
  const found: Delivery[] = [];
  const fresh = pull.reviews.filter(({ id, bot }) => !bot && !known(`review-${id}`));
  const may = new Map<string, boolean>();
  for (const { id, author: by, state, body, commit } of fresh.slice(-MAX_REVIEWS)) {
    if (!may.has(by)) may.set(by, suffices(await github.permission(by), 'write'));
    if (!may.get(by)) continue;
    const threads = pull.threads.filter(({ comments }) => comments[0]?.review === id).length;
    const said = { pull: pull.number, by, state, body: body.slice(0, MAX_BODY), threads, commit };
    found.push(fact(`review-${id}`, 'review', said));
  }
  return found;
}

/** Names for ids of changes that can be undone, for issue and pull request. */
interface Turns {
  there: string;
  back: string;
}
const closing: Turns = { there: 'closed', back: 'reopened' };
const taking: Turns = { there: 'taken', back: 'given-back' };
const checking: Turns = { there: 'checks-red', back: 'checks-green-again' };

/**
 * Id of the turn that the run does not know of; undefined where it knows how this stands. The n-th time there comes
 * after as many times back, less one; what came and went between two looks did not happen.
 */
function turnOf(
  of: number | string,
  { there, back }: Turns,
  isThere: boolean,
  known: Known,
): string | undefined {
  let times = 1;
  while (known(`${back}-${of}-${times}`)) times += 1;
  const out = `${there}-${of}-${times}`;
  if (isThere) return known(out) ? undefined : out;
  return known(out) ? `${back}-${of}-${times}` : undefined;
}
