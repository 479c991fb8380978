// A repository of the GraphQL schema with its lists.
import { authorize } from '../auth.ts';
import { type Core, nodeId } from '../core.ts';
import { repositoryJson } from '../repositories/repository-json.ts';
import { all, type Condition, countIssues, findIssues, inRepository } from '../issues/issue-conditions.ts';
import { findIssue, findLabel, labelsOfRepository } from '../issues/issue-rows.ts';
import { collaboratorsOf, findRef, refsUnder, type Repository } from '../repositories/repository-rows.ts';
import { getUser, simpleUser } from '../apps/users.ts';
import { userObject } from './accounts.ts';
import {
  type Asked,
  issueScopes,
  pullScopes,
  connection,
  empty,
  GraphqlRefusal,
  listed,
  type Window,
} from './connection.ts';
import {
  type IssueArguments,
  issueConditions,
  type Order,
  orderOf,
  type PullArguments,
  pullConditions,
} from './issue-lists.ts';
import { commitObject, refObject } from './commit.ts';
import { labelObject } from './thread.ts';
import { signatureOf } from '../pulls/merge.ts';

function aboutFields(core: Core, repository: Repository) {
  const email = (_: unknown, { viewer }: Asked) =>
    viewer === undefined ? null : signatureOf(core, getUser(core, viewer)).email;
  return {
    ...empty('repositoryTopics', 'watchers', 'milestones', 'projects', 'projectsV2'),
    contactLinks: [],
    fundingLinks: [],
    openGraphImageUrl: () => simpleUser(core, getUser(core, repository.owner_id)).avatar_url,
    usesCustomOpenGraphImage: false,
    isBlankIssuesEnabled: true,
    isSecurityPolicyEnabled: false,
    isUserConfigurationRepository: false,
    viewerHasStarred: false,
    viewerDefaultCommitEmail: email,
    viewerPossibleCommitEmails: (_: unknown, asked: Asked) => [email(_, asked)].filter(each => each !== null),
  };
}

export function repositoryObject(core: Core, repository: Repository) {
  const json = repositoryJson(core, repository);
  const ref = (name: string) => {
    const found = findRef(core, repository.id, name.startsWith('refs/') ? name : `refs/heads/${name}`);
    return found ? refObject(core, repository, found) : null;
  };
  const role = (_: unknown, { identity }: Asked) =>
    authorize(core, identity, repository, { role: 'read', scopes: [] });
  const threads = (name: string, window: Window & Order, conditions: Iterable<Condition>, asked: Asked) => {
    const wanted = all([inRepository(repository.id), ...conditions]);
    return connection(name, window, countIssues(core, wanted), (limit, offset) =>
      findIssues(core, wanted, orderOf(window), limit, offset).map(issue => asked.thread(issue)),
    );
  };
  const thread = (number: number, kind: 'Issue' | 'PullRequest' | undefined, asked: Asked) => {
    const issue = findIssue(core, repository.id, number);
    if (!issue || (kind && (kind === 'PullRequest') !== (issue.is_pull === 1))) {
      const what =
        kind === undefined ? 'an issue or pull request' : `a${kind === 'Issue' ? 'n' : ''} ${kind}`;
      throw new GraphqlRefusal('NOT_FOUND', `Could not resolve to ${what} with the number of ${number}.`);
    }
    asked.mayRead(repository, issue.is_pull ? pullScopes : issueScopes);
    return asked.thread(issue);
  };
  const people = (name: string) =>
    listed(name, ({ query }: { query?: string | null }) =>
      collaboratorsOf(core, repository)
        .filter(({ login }) => login.toLowerCase().includes(query?.toLowerCase() ?? ''))
        .map(user => userObject(core, user)),
    );
  return {
    __typename: 'Repository',
    id: nodeId('R', repository.id),
    databaseId: repository.id,
    name: repository.name,
    nameWithOwner: json.full_name,
    url: json.html_url,
    sshUrl: json.ssh_url,
    homepageUrl: json.homepage,
    description: json.description,
    owner: () => userObject(core, getUser(core, repository.owner_id)),
    createdAt: repository.created_at,
    updatedAt: repository.updated_at,
    pushedAt: repository.pushed_at,
    visibility: json.visibility.toUpperCase(),
    isPrivate: json.private,
    isFork: json.fork,
    isArchived: json.archived,
    isDisabled: json.disabled,
    isEmpty: () => refsUnder(core, repository.id, 'refs/heads/').length === 0,
    isTemplate: json.is_template,
    isMirror: false,
    mirrorUrl: json.mirror_url,
    isInOrganization: () => getUser(core, repository.owner_id).type === 'Organization',
    hasIssuesEnabled: json.has_issues,
    hasProjectsEnabled: json.has_projects,
    hasWikiEnabled: json.has_wiki,
    hasDiscussionsEnabled: json.has_discussions,
    mergeCommitAllowed: true,
    squashMergeAllowed: true,
    rebaseMergeAllowed: true,
    autoMergeAllowed: false,
    deleteBranchOnMerge: false,
    viewerPermission: (_: unknown, asked: Asked) => role(_, asked).toUpperCase(),
    viewerCanAdminister: (_: unknown, asked: Asked) => role(_, asked) === 'admin',
    viewerDefaultMergeMethod: 'MERGE',
    forkCount: json.forks_count,
    stargazerCount: json.stargazers_count,
    defaultBranchRef: () => ref(repository.default_branch),
    ref: ({ qualifiedName }: { qualifiedName: string }) => ref(qualifiedName),
    refs: listed('refs', ({ refPrefix, query }: { refPrefix: string; query?: string | null }) =>
      refsUnder(core, repository.id, refPrefix)
        .filter(({ name }) => name.slice(refPrefix.length).includes(query ?? ''))
        .map(each => refObject(core, repository, each)),
    ),
    issue: ({ number }: { number: number }, asked: Asked) => thread(number, 'Issue', asked),
    pullRequest: ({ number }: { number: number }, asked: Asked) => thread(number, 'PullRequest', asked),
    issueOrPullRequest: ({ number }: { number: number }, asked: Asked) => thread(number, undefined, asked),
    issues(args: IssueArguments, asked: Asked) {
      asked.mayRead(repository, issueScopes);
      return threads('issues', args, issueConditions(args), asked);
    },
    pullRequests(args: PullArguments, asked: Asked) {
      asked.mayRead(repository, pullScopes);
      return threads('pullRequests', args, pullConditions(repository, args), asked);
    },
    object: ({ oid }: { oid?: string | null }) => (oid ? commitObject(core, repository, oid) : null),
    label({ name }: { name: string }) {
      const label = findLabel(core, repository.id, name);
      return label ? labelObject(core, repository, label) : null;
    },
    labels: listed('labels', ({ query, orderBy }: { query?: string | null } & Order) => {
      const labels = labelsOfRepository(core, repository.id, query ?? '', orderBy?.field === 'NAME');
      if (orderBy?.direction === 'DESC') labels.reverse();
      return labels.map(label => labelObject(core, repository, label));
    }),
    ...aboutFields(core, repository),
    assignableUsers: people('assignableUsers'),
    mentionableUsers: people('mentionableUsers'),
    issueTemplates: [],
    pullRequestTemplates: [],
  };
}
