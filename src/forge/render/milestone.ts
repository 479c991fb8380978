// Milestones as the REST API shows them.
import { type Core, nodeId } from '../core.ts';
import { getMilestone, issueCounts, type Milestone } from '../store/milestones.ts';
import type { Repository } from '../store/repositories.ts';
import { repositoryPage, repositoryUrl } from './repository.ts';
import { userOfId } from './user.ts';

/** GitHub's `milestone`. */
export function milestoneJson(core: Core, repository: Repository, milestone: Milestone) {
  const url = `${repositoryUrl(core, repository)}/milestones/${milestone.number}`;
  const { open, closed } = issueCounts(core, milestone.id);
  return {
    url,
    html_url: `${repositoryPage(core, repository)}/milestone/${milestone.number}`,
    labels_url: `${url}/labels`,
    id: milestone.id,
    node_id: nodeId('MI', milestone.id),
    number: milestone.number,
    title: milestone.title,
    description: milestone.description,
    creator: userOfId(core, milestone.creator_id),
    open_issues: open,
    closed_issues: closed,
    state: milestone.state,
    created_at: milestone.created_at,
    updated_at: milestone.updated_at,
    due_on: milestone.due_on,
    closed_at: milestone.closed_at,
  };
}

/** That of an issue, which may have none. */
export const milestoneOrNull = (core: Core, repository: Repository, id: number | null) =>
  id === null ? null : milestoneJson(core, repository, getMilestone(core, id));
