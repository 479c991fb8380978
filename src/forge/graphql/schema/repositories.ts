// Repositories with their refs, labels and milestones.
import { connectionOf, page } from './connections.ts';

export const repositories = `
enum RepositoryVisibility { PUBLIC PRIVATE }
enum RepositoryPermission { ADMIN MAINTAIN READ TRIAGE WRITE }
enum PullRequestMergeMethod { MERGE REBASE SQUASH }
type Repository implements Node {
  id: ID!
  databaseId: Int
  name: String!
  nameWithOwner: String!
  url: URI!
  sshUrl: GitSSHRemote!
  homepageUrl: URI
  description: String
  owner: RepositoryOwner!
  createdAt: DateTime!
  updatedAt: DateTime!
  pushedAt: DateTime
  archivedAt: DateTime
  visibility: RepositoryVisibility!
  isPrivate: Boolean!
  isFork: Boolean!
  isArchived: Boolean!
  isDisabled: Boolean!
  isEmpty: Boolean!
  isTemplate: Boolean!
  isMirror: Boolean!
  isInOrganization: Boolean!
  mirrorUrl: URI
  hasIssuesEnabled: Boolean!
  hasProjectsEnabled: Boolean!
  hasWikiEnabled: Boolean!
  hasDiscussionsEnabled: Boolean!
  mergeCommitAllowed: Boolean!
  squashMergeAllowed: Boolean!
  rebaseMergeAllowed: Boolean!
  autoMergeAllowed: Boolean!
  deleteBranchOnMerge: Boolean!
  viewerPermission: RepositoryPermission
  viewerCanAdminister: Boolean!
  viewerDefaultMergeMethod: PullRequestMergeMethod!
  forkCount: Int!
  stargazerCount: Int!
  parent: Repository
  templateRepository: Repository
  defaultBranchRef: Ref
  ref(qualifiedName: String!): Ref
  refs(refPrefix: String!, query: String, ${page}): RefConnection
  object(oid: GitObjectID, expression: String): GitObject
  issue(number: Int!): Issue
  pullRequest(number: Int!): PullRequest
  issueOrPullRequest(number: Int!): IssueOrPullRequest
  issues(states: [IssueState!], labels: [String!], filterBy: IssueFilters, orderBy: IssueOrder, ${page}): IssueConnection!
  pullRequests(states: [PullRequestState!], labels: [String!], headRefName: String, baseRefName: String, orderBy: IssueOrder, ${page}): PullRequestConnection!
  label(name: String!): Label
  labels(query: String, orderBy: LabelOrder, ${page}): LabelConnection
  milestones(states: [MilestoneState!], ${page}): MilestoneConnection
  assignableUsers(query: String, ${page}): UserConnection!
  mentionableUsers(query: String, ${page}): UserConnection!
  issueTemplates: [IssueTemplate!]
  pullRequestTemplates: [PullRequestTemplate!]
  projects(states: [ProjectState!], orderBy: ProjectOrder, ${page}): ProjectConnection!
  projectsV2(query: String, orderBy: ProjectV2Order, ${page}): ProjectV2Connection!
}
type IssueTemplate { name: String! title: String body: String about: String }
type PullRequestTemplate { filename: String body: String }
${connectionOf('Ref')}
type Ref implements Node {
  id: ID!
  name: String!
  prefix: String!
  target: GitObject
  branchProtectionRule: BranchProtectionRule
}
type BranchProtectionRule implements Node {
  id: ID!
  pattern: String!
  requiresStrictStatusChecks: Boolean!
  requiredApprovingReviewCount: Int
}
enum LabelOrderField { CREATED_AT NAME }
input LabelOrder { direction: OrderDirection! field: LabelOrderField! }
type Label implements Node {
  id: ID!
  name: String!
  color: String!
  description: String
  isDefault: Boolean!
  url: URI!
  createdAt: DateTime
  updatedAt: DateTime
}
${connectionOf('Label')}
enum MilestoneState { CLOSED OPEN }
type Milestone implements Closable & Node {
  id: ID!
  number: Int!
  title: String!
  description: String
  dueOn: DateTime
  state: MilestoneState!
  url: URI!
  closed: Boolean!
  closedAt: DateTime
}
${connectionOf('Milestone')}
`;
