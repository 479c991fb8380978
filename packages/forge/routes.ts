// Every route of the REST API.
import type { Route } from './route.ts';
import { accountRoutes } from './apps/app-routes.ts';
import { actionSettingRoutes } from './actions/action-settings.ts';
import { actionValueRoutes } from './actions/action-values.ts';
import { actionRoutes } from './actions/action-routes.ts';
import { artifactRoutes } from './actions/artifact-routes.ts';
import { issueRoutes } from './issues/issue-routes.ts';
import { checkRoutes } from './checks/check-routes.ts';
import { commitRoutes } from './repositories/commit-routes.ts';
import { statusRoutes } from './checks/statuses.ts';
import { reviewRoutes } from './pulls/reviews.ts';
import { commentRoutes } from './issues/comments.ts';
import { subIssueRoutes } from './issues/sub-issues.ts';
import { gitDataRoutes } from './repositories/git-data.ts';
import { issueEventRoutes } from './issues/issue-events.ts';
import { labelRoutes } from './issues/labels.ts';
import { refRoutes } from './repositories/ref-routes.ts';
import { pullRoutes } from './pulls/pull-routes.ts';
import { repositoryRoutes } from './repositories/repository-routes.ts';

export const routes: Route[] = [
  ...accountRoutes,
  ...repositoryRoutes,
  ...refRoutes,
  ...issueRoutes,
  ...issueEventRoutes,
  ...commentRoutes,
  ...labelRoutes,
  ...subIssueRoutes,
  ...pullRoutes,
  ...reviewRoutes,
  ...commitRoutes,
  ...gitDataRoutes,
  ...checkRoutes,
  ...statusRoutes,
  ...actionRoutes,
  ...artifactRoutes,
  ...actionSettingRoutes,
  ...actionValueRoutes,
];
