// Every route of the REST API.
import type { Route } from './route.ts';
import { accountRoutes } from './apps/app-routes.ts';
import { actionSettingRoutes, rulesetRoutes } from './actions/action-settings.ts';
import { actionValueRoutes } from './actions/action-values.ts';
import { actionRoutes } from './actions/action-routes.ts';
import { artifactRoutes } from './actions/artifact-routes.ts';
import { assigneeRoutes, issueRoutes, searchRoutes } from './issues/issue-routes.ts';
import { checkRoutes } from './checks/check-routes.ts';
import { commitRoutes } from './repositories/commit-routes.ts';
import { statusRoutes } from './checks/statuses.ts';
import { reviewRoutes } from './pulls/reviews.ts';
import { commentRoutes, reactionRoutes } from './issues/comments.ts';
import { dependencyRoutes, subIssueRoutes } from './issues/sub-issues.ts';
import { gitDataRoutes, treeRoutes } from './repositories/git-data.ts';
import { issueEventRoutes } from './issues/issue-events.ts';
import { labelRoutes } from './issues/labels.ts';
import { mergeRoutes, refRoutes } from './repositories/ref-routes.ts';
import { pullRoutes } from './pulls/pull-routes.ts';
import { repositoryRoutes } from './repositories/repository-routes.ts';

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
