// Milestones of a repository: what issues and pull requests are gathered under.
import { type Core, now } from '../core.ts';
import type { Label } from './labels.ts';

export interface Milestone {
  id: number;
  repository_id: number;
  /** Counted for itself: a milestone and an issue may have the same. */
  number: number;
  title: string;
  description: string | null;
  state: 'open' | 'closed';
  creator_id: number;
  due_on: string | null;
  created_at: string;
  updated_at: string;
  closed_at: string | null;
}

export const findMilestone = (core: Core, repositoryId: number, number: number): Milestone | undefined =>
  core.db.one<Milestone>(
    'SELECT * FROM milestones WHERE repository_id = ? AND number = ?',
    repositoryId,
    number,
  );

export const findMilestoneTitled = (core: Core, repositoryId: number, title: string): Milestone | undefined =>
  core.db.one<Milestone>(
    'SELECT * FROM milestones WHERE repository_id = ? AND title = ?',
    repositoryId,
    title,
  );

/** The milestone of an id that another row holds. */
export const getMilestone = (core: Core, id: number): Milestone =>
  core.db.the<Milestone>('SELECT * FROM milestones WHERE id = ?', id);

/** The number of one that was deleted is not given out again. */
export function addMilestone(
  core: Core,
  repositoryId: number,
  milestone: Pick<Milestone, 'title' | 'description' | 'state' | 'creator_id' | 'due_on'>,
): Milestone {
  const { number } = core.db.the<{ number: number }>(
    'UPDATE repositories SET last_milestone = last_milestone + 1 WHERE id = ? RETURNING last_milestone AS number',
    repositoryId,
  );
  const time = now(core);
  const id = core.db.insert('milestones', {
    ...milestone,
    repository_id: repositoryId,
    number,
    created_at: time,
    updated_at: time,
    closed_at: milestone.state === 'closed' ? time : null,
  });
  return getMilestone(core, id);
}

/** How many issues and pull requests of a milestone are open, and how many are not. */
export const issueCounts = (core: Core, milestoneId: number): { open: number; closed: number } =>
  core.db.the<{ open: number; closed: number }>(
    `SELECT coalesce(sum(state = 'open'), 0) AS open, coalesce(sum(state = 'closed'), 0) AS closed
     FROM issues WHERE milestone_id = ?`,
    milestoneId,
  );

export interface MilestoneList {
  /** Undefined: all. */
  state: 'open' | 'closed' | undefined;
  by: 'due_on' | 'completeness';
  descending: boolean;
}

/** Share of what is done; nothing is done of an empty one. */
const completeness = `(SELECT coalesce(avg(state = 'closed'), 0) FROM issues WHERE milestone_id = m.id)`;

export function listMilestones(
  core: Core,
  repositoryId: number,
  { state, by, descending }: MilestoneList,
): Milestone[] {
  const way = descending ? 'DESC' : 'ASC';
  // One without a date comes after all that have one, whichever way.
  const order = by === 'due_on' ? `due_on IS NULL, due_on ${way}` : `${completeness} ${way}`;
  return core.db.all<Milestone>(
    `SELECT m.* FROM milestones m WHERE repository_id = ? AND state IN (?, ?) ORDER BY ${order}, number ${way}`,
    repositoryId,
    state ?? 'open',
    state ?? 'closed',
  );
}

/** The labels of its issues, each once. */
export const labelsOfMilestone = (core: Core, milestoneId: number): Label[] =>
  core.db.all<Label>(
    `SELECT * FROM labels WHERE id IN (SELECT label_id FROM issue_labels l JOIN issues i ON i.id = l.issue_id
     WHERE i.milestone_id = ?) ORDER BY id`,
    milestoneId,
  );
