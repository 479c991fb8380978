// Every route of the REST API.
import type { Route } from '../route.ts';
import { accountRoutes } from './account.ts';
import { actionSettingRoutes, rulesetRoutes } from './action-settings.ts';
import { actionValueRoutes } from './action-values.ts';
import { actionRoutes } from './actions.ts';
import { artifactRoutes } from './artifacts.ts';
import { assigneeRoutes, issueRoutes, searchRoutes } from './issues.ts';
import { checkRoutes } from './checks.ts';
import { commitRoutes } from './commits.ts';
import { statusRoutes } from './statuses.ts';
import { reviewRoutes } from './reviews.ts';
import { commentRoutes, reactionRoutes } from './comments.ts';
import { dependencyRoutes, subIssueRoutes } from './sub-issues.ts';
import { gitDataRoutes, treeRoutes } from './git-data.ts';
import { issueEventRoutes } from './issue-events.ts';
import { labelRoutes } from './labels.ts';
import { mergeRoutes, refRoutes } from './refs.ts';
import { pullRoutes } from './pulls.ts';
import { repositoryRoutes } from './repositories.ts';

export const routes: Route[] = [
  ...accountRoutes,
  ...repositoryRoutes,
  ...refRoutes,
  ...mergeRoutes,
  ...issueRoutes,
  ...assigneeRoutes,
  ...issueEventRoutes,
  ...commentRoutes,
  ...labelRoutes,
  ...reactionRoutes,
  ...subIssueRoutes,
  ...dependencyRoutes,
  ...pullRoutes,
  ...reviewRoutes,
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
