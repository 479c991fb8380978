// Pull requests and their reviews.
import { commentFields, connectionOf, page } from './connections.ts';

export const pulls = `
enum PullRequestState { CLOSED MERGED OPEN }
enum MergeableState { CONFLICTING MERGEABLE UNKNOWN }
enum MergeStateStatus { BLOCKED CLEAN DIRTY DRAFT UNKNOWN }
enum PullRequestReviewDecision { APPROVED CHANGES_REQUESTED REVIEW_REQUIRED }
${connectionOf('PullRequest')}
type PullRequest implements Assignable & Closable & Comment & Labelable & Lockable & Node & Reactable {
  id: ID!
  databaseId: Int
  fullDatabaseId: BigInt
  number: Int!
  title: String!
  body: String!
  url: URI!
  state: PullRequestState!
  isDraft: Boolean!
  closed: Boolean!
  closedAt: DateTime
  merged: Boolean!
  mergedAt: DateTime
  mergedBy: Actor
  mergeCommit: Commit
  potentialMergeCommit: Commit
  mergeable: MergeableState!
  mergeStateStatus: MergeStateStatus!
  reviewDecision: PullRequestReviewDecision
  locked: Boolean!
  activeLockReason: LockReason
  author: Actor
  authorAssociation: CommentAuthorAssociation!
  editor: Actor
  viewerDidAuthor: Boolean!
  includesCreatedEdit: Boolean!
  createdAt: DateTime!
  updatedAt: DateTime!
  lastEditedAt: DateTime
  additions: Int!
  deletions: Int!
  changedFiles: Int!
  headRefName: String!
  headRefOid: GitObjectID!
  headRef: Ref
  headRepository: Repository
  headRepositoryOwner: RepositoryOwner
  baseRefName: String!
  baseRefOid: GitObjectID!
  baseRef: Ref
  baseRepository: Repository
  isCrossRepository: Boolean!
  maintainerCanModify: Boolean!
  autoMergeRequest: AutoMergeRequest
  repository: Repository!
  milestone: Milestone
  assignees(${page}): UserConnection!
  labels(${page}): LabelConnection
  comments(${page}): IssueCommentConnection!
  reviews(states: [PullRequestReviewState!], author: String, ${page}): PullRequestReviewConnection
  latestReviews(${page}): PullRequestReviewConnection
  latestOpinionatedReviews(${page}): PullRequestReviewConnection
  reviewThreads(${page}): PullRequestReviewThreadConnection!
  reviewRequests(${page}): ReviewRequestConnection
  commits(${page}): PullRequestCommitConnection!
  files(${page}): PullRequestChangedFileConnection
  closingIssuesReferences(${page}): IssueConnection
  statusCheckRollup: StatusCheckRollup
  reactionGroups: [ReactionGroup!]
  userContentEdits(${page}): UserContentEditConnection
  projectCards(${page}): ProjectCardConnection!
  projectItems(${page}): ProjectV2ItemConnection!
  viewerMergeHeadlineText(mergeType: PullRequestMergeMethod): String!
  viewerMergeBodyText(mergeType: PullRequestMergeMethod): String!
}
type AutoMergeRequest {
  authorEmail: String
  commitBody: String
  commitHeadline: String
  mergeMethod: PullRequestMergeMethod!
  enabledAt: DateTime
  enabledBy: Actor
}
type PullRequestCommit implements Node { id: ID! commit: Commit! }
${connectionOf('PullRequestCommit')}
enum PatchStatus { ADDED CHANGED COPIED DELETED MODIFIED RENAMED }
type PullRequestChangedFile { path: String! additions: Int! deletions: Int! changeType: PatchStatus! }
${connectionOf('PullRequestChangedFile')}
union RequestedReviewer = Bot | Team | User
type ReviewRequest implements Node { id: ID! requestedReviewer: RequestedReviewer }
${connectionOf('ReviewRequest')}
enum PullRequestReviewState { APPROVED CHANGES_REQUESTED COMMENTED DISMISSED PENDING }
enum DiffSide { LEFT RIGHT }
type PullRequestReview implements Comment & Minimizable & Node & Reactable {
  ${commentFields}
  state: PullRequestReviewState!
  submittedAt: DateTime
  commit: Commit
  comments(${page}): PullRequestReviewCommentConnection!
}
${connectionOf('PullRequestReview')}
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
  comments(${page}): PullRequestReviewCommentConnection!
}
${connectionOf('PullRequestReviewThread')}
type PullRequestReviewComment implements Comment & Minimizable & Node & Reactable {
  ${commentFields}
  diffHunk: String!
  path: String!
  replyTo: PullRequestReviewComment
  pullRequestReview: PullRequestReview
}
${connectionOf('PullRequestReviewComment')}
`;
