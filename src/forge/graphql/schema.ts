// The part of GitHub's GraphQL schema that the forge answers.

export const sdl = `
scalar DateTime
scalar URI
scalar BigInt
scalar GitObjectID
scalar Base64String

type Query {
  viewer: User!
  rateLimit: RateLimit
  repository(owner: String!, name: String!, followRenames: Boolean = true): Repository
  node(id: ID!): Node
}
type RateLimit { limit: Int! cost: Int! remaining: Int! used: Int! resetAt: DateTime! nodeCount: Int! }
interface Node { id: ID! }
interface Actor { login: String! url: URI! }
type User implements Actor & Node { id: ID! databaseId: Int login: String! name: String url: URI! }
type Bot implements Actor & Node { id: ID! databaseId: Int login: String! url: URI! }
type Organization implements Actor & Node { id: ID! databaseId: Int login: String! name: String url: URI! }
type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }

type Repository implements Node {
  id: ID!
  databaseId: Int
  name: String!
  nameWithOwner: String!
  url: URI!
  isPrivate: Boolean!
  owner: Actor!
  defaultBranchRef: Ref
  ref(qualifiedName: String!): Ref
  issue(number: Int!): Issue
  pullRequest(number: Int!): PullRequest
  issueOrPullRequest(number: Int!): IssueOrPullRequest
}
union IssueOrPullRequest = Issue | PullRequest
type Ref implements Node { id: ID! name: String! prefix: String! target: GitObject }
interface GitObject { oid: GitObjectID! }
type Commit implements GitObject {
  oid: GitObjectID!
  url: URI!
  message: String!
  committedDate: DateTime!
  author: GitActor
  signature: GitSignature
  tree: Tree!
}
type GitActor { name: String email: String }
type GitSignature { isValid: Boolean! wasSignedByGitHub: Boolean! }
type Tree implements GitObject { oid: GitObjectID! entries: [TreeEntry!] }
type TreeEntry { name: String type: String! object: GitObject }
type Blob implements GitObject { oid: GitObjectID! byteSize: Int! isTruncated: Boolean! text: String }

enum IssueState { OPEN CLOSED }
enum PullRequestState { OPEN CLOSED MERGED }
enum IssueStateReason { COMPLETED NOT_PLANNED REOPENED DUPLICATE }
type Label implements Node { id: ID! name: String! color: String! description: String }
type LabelConnection { totalCount: Int! nodes: [Label] pageInfo: PageInfo! }
type IssueConnection { totalCount: Int! nodes: [Issue] pageInfo: PageInfo! }

type Issue implements Node {
  id: ID!
  databaseId: Int
  fullDatabaseId: BigInt
  number: Int!
  title: String!
  body: String!
  state: IssueState!
  stateReason: IssueStateReason
  url: URI!
  locked: Boolean!
  author: Actor
  editor: Actor
  createdAt: DateTime!
  updatedAt: DateTime!
  lastEditedAt: DateTime
  closedAt: DateTime
  labels(first: Int, last: Int, after: String, before: String): LabelConnection
  comments(first: Int, last: Int, after: String, before: String): IssueCommentConnection!
  userContentEdits(first: Int, last: Int, after: String, before: String): UserContentEditConnection
  parent: Issue
  subIssues(first: Int, last: Int, after: String, before: String): IssueConnection!
}
type PullRequest implements Node {
  id: ID!
  databaseId: Int
  fullDatabaseId: BigInt
  number: Int!
  title: String!
  body: String!
  state: PullRequestState!
  url: URI!
  isDraft: Boolean!
  merged: Boolean!
  locked: Boolean!
  author: Actor
  editor: Actor
  createdAt: DateTime!
  updatedAt: DateTime!
  lastEditedAt: DateTime
  closedAt: DateTime
  mergedAt: DateTime
  mergedBy: Actor
  headRefName: String!
  headRefOid: GitObjectID!
  baseRefName: String!
  baseRefOid: GitObjectID!
  reviews(first: Int, last: Int, after: String, before: String): PullRequestReviewConnection
  reviewThreads(first: Int, last: Int, after: String, before: String): PullRequestReviewThreadConnection!
  labels(first: Int, last: Int, after: String, before: String): LabelConnection
  comments(first: Int, last: Int, after: String, before: String): IssueCommentConnection!
  userContentEdits(first: Int, last: Int, after: String, before: String): UserContentEditConnection
}
enum PullRequestReviewState { PENDING COMMENTED APPROVED CHANGES_REQUESTED DISMISSED }
enum DiffSide { LEFT RIGHT }
type PullRequestReview implements Node {
  id: ID!
  databaseId: Int
  fullDatabaseId: BigInt
  state: PullRequestReviewState!
  body: String!
  author: Actor
  submittedAt: DateTime
  comments(first: Int, last: Int, after: String, before: String): PullRequestReviewCommentConnection!
}
type PullRequestReviewConnection { totalCount: Int! nodes: [PullRequestReview] pageInfo: PageInfo! }
type PullRequestReviewThread implements Node {
  id: ID!
  path: String!
  line: Int
  originalLine: Int
  startLine: Int
  diffSide: DiffSide!
  isOutdated: Boolean!
  isResolved: Boolean!
  resolvedBy: User
  comments(first: Int, last: Int, after: String, before: String): PullRequestReviewCommentConnection!
}
type PullRequestReviewThreadConnection { totalCount: Int! nodes: [PullRequestReviewThread] pageInfo: PageInfo! }
type PullRequestReviewComment implements Node {
  id: ID!
  databaseId: Int
  fullDatabaseId: BigInt
  body: String!
  diffHunk: String!
  author: Actor
  createdAt: DateTime!
  replyTo: PullRequestReviewComment
  pullRequestReview: PullRequestReview
}
type PullRequestReviewCommentConnection { totalCount: Int! nodes: [PullRequestReviewComment] pageInfo: PageInfo! }
type IssueComment implements Node {
  id: ID!
  databaseId: Int
  fullDatabaseId: BigInt
  url: URI!
  body: String!
  author: Actor
  editor: Actor
  createdAt: DateTime!
  updatedAt: DateTime!
  lastEditedAt: DateTime
  isMinimized: Boolean!
  minimizedReason: String
  userContentEdits(first: Int, last: Int, after: String, before: String): UserContentEditConnection
}
type IssueCommentConnection { totalCount: Int! nodes: [IssueComment] pageInfo: PageInfo! }
type UserContentEdit implements Node { id: ID! editor: Actor editedAt: DateTime! createdAt: DateTime! diff: String }
type UserContentEditConnection { totalCount: Int! nodes: [UserContentEdit] pageInfo: PageInfo! }

type Mutation {
  markPullRequestReadyForReview(input: PullRequestInput!): PullRequestPayload
  convertPullRequestToDraft(input: PullRequestInput!): PullRequestPayload
  deleteIssue(input: DeleteIssueInput!): DeleteIssuePayload
  minimizeComment(input: MinimizeCommentInput!): MinimizeCommentPayload
  resolveReviewThread(input: ResolveReviewThreadInput!): ResolveReviewThreadPayload
  unresolveReviewThread(input: UnresolveReviewThreadInput!): UnresolveReviewThreadPayload
  createCommitOnBranch(input: CreateCommitOnBranchInput!): CreateCommitOnBranchPayload
}
input ResolveReviewThreadInput { clientMutationId: String threadId: ID! }
type ResolveReviewThreadPayload { clientMutationId: String thread: PullRequestReviewThread }
input UnresolveReviewThreadInput { clientMutationId: String threadId: ID! }
type UnresolveReviewThreadPayload { clientMutationId: String thread: PullRequestReviewThread }
input PullRequestInput { clientMutationId: String pullRequestId: ID! }
type PullRequestPayload { clientMutationId: String pullRequest: PullRequest }
input DeleteIssueInput { clientMutationId: String issueId: ID! }
type DeleteIssuePayload { clientMutationId: String repository: Repository }
enum ReportedContentClassifiers { SPAM ABUSE OFF_TOPIC OUTDATED DUPLICATE RESOLVED }
input MinimizeCommentInput { clientMutationId: String subjectId: ID! classifier: ReportedContentClassifiers! }
type MinimizeCommentPayload { clientMutationId: String minimizedComment: IssueComment }
input CreateCommitOnBranchInput {
  clientMutationId: String
  branch: CommittableBranch!
  expectedHeadOid: GitObjectID!
  message: CommitMessage!
  fileChanges: FileChanges
}
input CommittableBranch { id: ID repositoryNameWithOwner: String branchName: String }
input CommitMessage { headline: String! body: String }
input FileChanges { additions: [FileAddition!] deletions: [FileDeletion!] }
input FileAddition { path: String! contents: Base64String! }
input FileDeletion { path: String! }
type CreateCommitOnBranchPayload { clientMutationId: String commit: Commit ref: Ref }
`;
