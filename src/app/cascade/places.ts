// Places of planned issues in a listing: the issues that a schedule names, and their numbers once they exist.
import type { LayerId } from '../layers.ts';
import type { Config } from '../config/config.ts';
import type { Listed, Queued } from './context.ts';
import { hasLabel } from '../github/issues.ts';
import type { TrackedIssue } from '../scheduler/slots.ts';
import type { Shown } from '../comments/fold.ts';
import type { Action, IssuePlan } from './issue-plan.ts';

/** Progress of a run's approvals. */
export interface ApprovalRounds {
  round: number;
  lists: number;
  /** Layers that were told of a rejection. */
  revised: Set<LayerId>;
}

/**
 * Gives the issues of newly listed actions their places: from 1 over all of a listing, whatever becomes of them. A
 * listing without issues of its own means those of the one before.
 */
export function placed(queue: readonly Queued[], rounds: ApprovalRounds): Listed[] {
  if (queue.some(each => issuesIn(each).length > 0)) rounds.lists += 1;
  const last = queue.findLast(each => issuesIn(each).length > 0);
  let before = 0;
  return queue.map(each => {
    const listed = { ...each, list: rounds.lists, before, grows: each === last, done: new Map() };
    before += issuesIn(each).length;
    return listed;
  });
}

/**
 * The created issues that a `schedule` names; without names all of them, in the order of creation. A number counts
 * from 1 as its listing showed it, including issues that were rejected.
 */
export function scheduled(
  action: { label?: string | undefined; issues?: (number | string)[] | undefined },
  places: readonly (TrackedIssue | undefined)[],
  created: readonly TrackedIssue[],
): { issues: TrackedIssue[]; problems: string[] } {
  const problems: string[] = [];
  const made = created.toSorted((a, b) => a.number - b.number);
  const byPlace = (action.issues ?? []).flatMap(each => {
    const found =
      typeof each === 'number' ? places[each - 1] : made.find(issue => `#${issue.number}` === each);
    if (!found)
      problems.push(
        `${typeof each === 'number' ? `no. ${each}` : each} was not created by this run, so it is not worked on`,
      );
    return found ? [found] : [];
  });
  if (action.issues) return { issues: byPlace, problems };
  const { label } = action;
  return { issues: made.filter(issue => !label || hasLabel(issue.labels, label)), problems };
}

/**
 * `issue 1`, `issues 2 and 3`; a number with its `#` means what it says already. White space and words between numbers are
 * bounded, so that the time is linear.
 */
const counted = /\bissues?\s{1,3}\d{1,3}(?:(?:\s{0,3}(?:,|&|and|or|to)){1,2}\s{0,3}\d{1,3})*(?![\w.]\d|\w)/gi;

const recounted = (text: string, told: (place: number) => string): string =>
  text.replace(counted, words => words.replace(/\d+/g, place => told(Number(place))));

/** `issue 1` becomes `issue #12`, for the number of each place from 1; what has none stays as it is. */
const byNumber = (text: string, numbers: ReadonlyMap<number, number | null>): string =>
  recounted(text, place => {
    const number = numbers.get(place);
    return typeof number === 'number' ? `#${number}` : `${place}`;
  });

/** References to drafts become places in the list that takes them; one that is not taken is called a draft. */
export const byPlace = (text: string, places: ReadonlyMap<number, number>): string =>
  recounted(text, draft => `${places.get(draft) ?? `draft ${draft}`}`);

/** The plan, and each issue as its engineer reads it, tell numbers from now on. `numbers`: by place, null where there is none. */
export function tellNumbers(
  { view, emit }: Shown,
  made: readonly (TrackedIssue | undefined)[],
  numbers: ReadonlyMap<number, number | null>,
): void {
  for (const issue of made) if (issue) issue.body = byNumber(issue.body, numbers);
  if (view.plan !== undefined) emit({ change: 'run', to: { plan: byNumber(view.plan, numbers) } });
}

/** The actions that list a layer's drafts; none where a layer below has to see them, or all layers are to be asked. */
export function listing(
  { layers }: Pick<Config, 'layers'>,
  layer: LayerId,
  drafted: readonly IssuePlan[] = [],
): Action[] {
  // Of a draft that names its paths and takes an hour at most nothing is to be cut, and the scheduler orders the rest.
  const isSettled = drafted.every(
    ({ paths = [], estimate_minutes: minutes }) => paths.length > 0 && minutes !== undefined && minutes <= 60,
  );
  const isReady = drafted.length === 1 || (layer === 'eng-lead' && isSettled);
  if (layers !== 'auto' || drafted.length === 0 || !isReady) return [];
  return [{ action: 'create_issues', issues: [...drafted] }, { action: 'schedule' }];
}

/** The issues that an action would create. */
export const issuesIn = ({ action }: Queued): readonly IssuePlan[] =>
  action.action === 'create_issues' ? action.issues : [];
