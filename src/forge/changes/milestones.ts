// What happens to milestones, and to issues that come under one or leave it.
import { type Core, now } from '../core.ts';
import { milestoneJson } from '../render/milestone.ts';
import type { Issue } from '../store/issues.ts';
import { addMilestone, getMilestone, type Milestone } from '../store/milestones.ts';
import { getRepository, type Repository } from '../store/repositories.ts';
import { type By, emit } from './emit.ts';
import { recordEvent } from './history.ts';
import { emitIssue, touch } from './issues.ts';

function emitMilestone(
  core: Core,
  by: By,
  milestone: Milestone,
  action: string,
  part: Record<string, unknown> = {},
): void {
  const repository = getRepository(core, milestone.repository_id);
  emit(core, by, repository, 'milestone', action, core => ({
    milestone: milestoneJson(core, repository, milestone),
    ...part,
  }));
}

export type MilestoneText = Pick<Milestone, 'title' | 'description' | 'state' | 'due_on'>;

export function openMilestone(core: Core, by: By, repository: Repository, text: MilestoneText): Milestone {
  const made = addMilestone(core, repository.id, { ...text, creator_id: by.user.id });
  emitMilestone(core, by, made, 'created');
  return made;
}

const texts = ['title', 'description', 'due_on'] as const;

export function changeMilestone(
  core: Core,
  by: By,
  milestone: Milestone,
  text: { [K in keyof MilestoneText]?: MilestoneText[K] | undefined },
): Milestone {
  const next: MilestoneText = {
    title: text.title ?? milestone.title,
    state: text.state ?? milestone.state,
    description: text.description === undefined ? milestone.description : text.description,
    due_on: text.due_on === undefined ? milestone.due_on : text.due_on,
  };
  const time = now(core);
  const turned = next.state !== milestone.state;
  core.db.update('milestones', milestone.id, {
    ...next,
    updated_at: time,
    ...(turned && { closed_at: next.state === 'closed' ? time : null }),
  });
  const changed = getMilestone(core, milestone.id);
  const edited = texts.filter(name => next[name] !== milestone[name]);
  if (edited.length > 0) {
    const changes = Object.fromEntries(edited.map(name => [name, { from: milestone[name] ?? '' }]));
    emitMilestone(core, by, changed, 'edited', { changes });
  }
  if (turned) emitMilestone(core, by, changed, next.state === 'closed' ? 'closed' : 'opened');
  return changed;
}

/** Its issues stay, without one. */
export function deleteMilestone(core: Core, by: By, milestone: Milestone): void {
  emitMilestone(core, by, milestone, 'deleted');
  core.db.run('DELETE FROM milestones WHERE id = ?', milestone.id);
}

/** Puts an issue or a pull request under a milestone, or under none. */
export function setMilestone(core: Core, by: By, issue: Issue, milestone: Milestone | null): void {
  const { id, milestone_id: before } = issue;
  if (before === (milestone?.id ?? null)) return;
  core.db.update('issues', id, { milestone_id: milestone?.id ?? null });
  touch(core, issue);
  const tell = (of: Milestone, event: 'milestoned' | 'demilestoned') => {
    recordEvent(core, by, issue, event, { milestone: { title: of.title } });
    const repository = getRepository(core, issue.repository_id);
    emitIssue(core, by, issue, event, core => ({ milestone: milestoneJson(core, repository, of) }));
  };
  if (before !== null) tell(getMilestone(core, before), 'demilestoned');
  if (milestone) tell(milestone, 'milestoned');
}
