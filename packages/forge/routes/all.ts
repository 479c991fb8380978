// Every route of the REST API.
import type { Route } from '../route.ts';
import { accountRoutes } from './account.ts';
import { actionSettingRoutes } from './action-settings.ts';
import { actionValueRoutes } from './action-values.ts';
import { actionRoutes } from './actions.ts';
import { artifactRoutes } from './artifacts.ts';
import { assigneeRoutes } from './assignees.ts';
import { checkRoutes } from './checks.ts';
import { commitRoutes } from './commits.ts';
import { statusRoutes } from './statuses.ts';
import { reviewRoutes } from './reviews.ts';
import { commentRoutes } from './comments.ts';
import { dependencyRoutes } from './dependencies.ts';
import { gitDataRoutes } from './git-data.ts';
import { issueEventRoutes } from './issue-events.ts';
import { issueRoutes } from './issues.ts';
import { labelRoutes } from './labels.ts';
import { mergeRoutes } from './merges.ts';
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
