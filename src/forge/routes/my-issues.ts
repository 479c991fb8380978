// The issues and pull requests of whoever calls, across repositories.
import { roleIn } from '../auth.ts';
import { forbidden, needsToken } from '../errors.ts';
import { page } from '../page.ts';
import { issueJson } from '../render/issue.ts';
import { repositoryJson } from '../render/repository.ts';
import { type Answer, type Call, type Route, route } from '../route.ts';
import {
  all,
  any,
  assignedTo,
  commentedBy,
  type Condition,
  countIssues,
  findIssues,
  inRepository,
  issueOrder,
  mentions,
  writtenBy,
} from '../store/issue-conditions.ts';
import { allRepositories, getRepository, isCollaborator } from '../store/repositories.ts';
import { filtersOf } from './issue-input.ts';

/** What each `filter` finds of somebody's; `repos` and `all` find whatever is in repositories of his. */
const filters = new Map<string, (login: string) => Condition>([
  ['assigned', assignedTo],
  ['created', writtenBy],
  ['mentioned', mentions],
  ['subscribed', login => any([assignedTo(login), writtenBy(login), mentions(login), commentedBy(login)])],
]);

function mine({ core, identity, query, ...call }: Call): Answer {
  if (identity.kind === 'nobody') throw needsToken();
  if (identity.kind !== 'user') throw forbidden('Resource not accessible by integration');
  const { id, login } = identity.user;
  const filter = query.get('filter') ?? 'assigned';
  const chosen = filters.get(filter) ?? (/^(repos|all)$/.test(filter) ? undefined : assignedTo);
  const places = allRepositories(core).filter(repository =>
    chosen
      ? roleIn(core, identity, repository) !== 'none'
      : repository.owner_id === id || isCollaborator(core, repository, id),
  );
  const wanted = all([
    any(places.map(repository => inRepository(repository.id))),
    ...(chosen ? [chosen(login)] : []),
    ...filtersOf(query),
  ]);
  const order = issueOrder(query.get('sort'), query.get('direction'));
  return page({ core, identity, query, ...call }, countIssues(core, wanted), (limit, offset) =>
    findIssues(core, wanted, order, limit, offset).map(issue => {
      const repository = getRepository(core, issue.repository_id);
      return {
        ...issueJson(core, repository, issue),
        repository: repositoryJson(core, repository, roleIn(core, identity, repository)),
      };
    }),
  );
}

export const myIssueRoutes: Route[] = [route('GET', '/issues', mine), route('GET', '/user/issues', mine)];
