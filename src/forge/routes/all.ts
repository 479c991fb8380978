// Every route of the REST API.
import type { Route } from '../route.ts';
import { accountRoutes } from './account.ts';
import { actionSettingRoutes } from './action-settings.ts';
import { actionValueRoutes } from './action-values.ts';
import { actionRoutes } from './actions.ts';
import { artifactRoutes } from './artifacts.ts';
import { aboutRoutes } from './about.ts';
import { assigneeRoutes } from './assignees.ts';
import { checkRoutes } from './checks.ts';
import { commitRoutes } from './commits.ts';
import { statusRoutes } from './statuses.ts';
import { reviewCommentRoutes } from './review-comments.ts';
import { reviewRoutes } from './reviews.ts';
import { commentRoutes } from './comments.ts';
import { dependencyRoutes } from './dependencies.ts';
import { gitDataRoutes } from './git-data.ts';
import { hookRoutes } from './hooks.ts';
import { issueEventRoutes } from './issue-events.ts';
import { issueRoutes } from './issues.ts';
import { labelRoutes } from './labels.ts';
import { mergeRoutes } from './merges.ts';
import { milestoneRoutes } from './milestones.ts';
import { myIssueRoutes } from './my-issues.ts';
import { pullRoutes } from './pulls.ts';
import { reactionRoutes } from './reactions.ts';
import { refRoutes } from './refs.ts';
import { repositoryRoutes } from './repositories.ts';
import { rulesetRoutes } from './rulesets.ts';
import { searchRoutes } from './search.ts';
import { subIssueRoutes } from './sub-issues.ts';
import { treeRoutes } from './trees.ts';

export const routes: Route[] = [
  ...accountRoutes,
  ...repositoryRoutes,
  ...aboutRoutes,
  ...hookRoutes,
  ...refRoutes,
  ...mergeRoutes,
  ...issueRoutes,
  ...myIssueRoutes,
  ...assigneeRoutes,
  ...issueEventRoutes,
  ...commentRoutes,
  ...labelRoutes,
  ...milestoneRoutes,
  ...reactionRoutes,
  ...subIssueRoutes,
  ...dependencyRoutes,
  ...pullRoutes,
  ...reviewRoutes,
  ...reviewCommentRoutes,
  ...commitRoutes,
  ...treeRoutes,
  ...gitDataRoutes,
  ...checkRoutes,
  ...statusRoutes,
  ...actionRoutes,
  ...artifactRoutes,
  ...actionSettingRoutes,
  ...actionValueRoutes,
  ...rulesetRoutes,
  ...searchRoutes,
];
