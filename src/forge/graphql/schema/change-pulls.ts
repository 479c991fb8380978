// What changes pull requests and branches.

export const changePulls = `
extend type Mutation {
  createPullRequest(input: CreatePullRequestInput!): CreatePullRequestPayload
  updatePullRequest(input: UpdatePullRequestInput!): UpdatePullRequestPayload
  closePullRequest(input: ClosePullRequestInput!): ClosePullRequestPayload
  reopenPullRequest(input: ReopenPullRequestInput!): ReopenPullRequestPayload
  markPullRequestReadyForReview(input: MarkPullRequestReadyForReviewInput!): MarkPullRequestReadyForReviewPayload
  convertPullRequestToDraft(input: ConvertPullRequestToDraftInput!): ConvertPullRequestToDraftPayload
  updatePullRequestBranch(input: UpdatePullRequestBranchInput!): UpdatePullRequestBranchPayload
  mergePullRequest(input: MergePullRequestInput!): MergePullRequestPayload
  addPullRequestReview(input: AddPullRequestReviewInput!): AddPullRequestReviewPayload
  requestReviews(input: RequestReviewsInput!): RequestReviewsPayload
  resolveReviewThread(input: ResolveReviewThreadInput!): ResolveReviewThreadPayload
  unresolveReviewThread(input: UnresolveReviewThreadInput!): UnresolveReviewThreadPayload
  createCommitOnBranch(input: CreateCommitOnBranchInput!): CreateCommitOnBranchPayload
}
input CreatePullRequestInput {
  clientMutationId: String
  repositoryId: ID!
  title: String!
  body: String
  headRefName: String!
  baseRefName: String!
  draft: Boolean
  maintainerCanModify: Boolean
  headRepositoryId: ID
}
type CreatePullRequestPayload { clientMutationId: String pullRequest: PullRequest }
input UpdatePullRequestInput {
  clientMutationId: String
  pullRequestId: ID!
  title: String
  body: String
  baseRefName: String
  state: PullRequestUpdateState
  assigneeIds: [ID!]
  labelIds: [ID!]
  milestoneId: ID
  projectIds: [ID!]
  maintainerCanModify: Boolean
}
type UpdatePullRequestPayload { clientMutationId: String pullRequest: PullRequest }
input ClosePullRequestInput { clientMutationId: String pullRequestId: ID! }
type ClosePullRequestPayload { clientMutationId: String pullRequest: PullRequest }
input ReopenPullRequestInput { clientMutationId: String pullRequestId: ID! }
type ReopenPullRequestPayload { clientMutationId: String pullRequest: PullRequest }
input MarkPullRequestReadyForReviewInput { clientMutationId: String pullRequestId: ID! }
type MarkPullRequestReadyForReviewPayload { clientMutationId: String pullRequest: PullRequest }
input ConvertPullRequestToDraftInput { clientMutationId: String pullRequestId: ID! }
type ConvertPullRequestToDraftPayload { clientMutationId: String pullRequest: PullRequest }
enum PullRequestBranchUpdateMethod { MERGE }
input UpdatePullRequestBranchInput {
  clientMutationId: String
  pullRequestId: ID!
  expectedHeadOid: GitObjectID
  updateMethod: PullRequestBranchUpdateMethod
}
type UpdatePullRequestBranchPayload { clientMutationId: String pullRequest: PullRequest }
input MergePullRequestInput {
  clientMutationId: String
  pullRequestId: ID!
  mergeMethod: PullRequestMergeMethod
  commitHeadline: String
  commitBody: String
  expectedHeadOid: GitObjectID
}
type MergePullRequestPayload { clientMutationId: String pullRequest: PullRequest }
input AddPullRequestReviewInput {
  clientMutationId: String
  pullRequestId: ID!
  event: PullRequestReviewEvent
  body: String
  commitOID: GitObjectID
}
type AddPullRequestReviewPayload { clientMutationId: String pullRequestReview: PullRequestReview }
input RequestReviewsInput {
  clientMutationId: String
  pullRequestId: ID!
  userIds: [ID!]
  teamIds: [ID!]
  union: Boolean
}
type RequestReviewsPayload { clientMutationId: String pullRequest: PullRequest }
input ResolveReviewThreadInput { clientMutationId: String threadId: ID! }
type ResolveReviewThreadPayload { clientMutationId: String thread: PullRequestReviewThread }
input UnresolveReviewThreadInput { clientMutationId: String threadId: ID! }
type UnresolveReviewThreadPayload { clientMutationId: String thread: PullRequestReviewThread }
input CreateCommitOnBranchInput {
  clientMutationId: String
  branch: CommittableBranch!
  expectedHeadOid: GitObjectID!
  message: CommitMessage!
  fileChanges: FileChanges
}
type CreateCommitOnBranchPayload { clientMutationId: String commit: Commit ref: Ref }
enum PullRequestUpdateState { CLOSED OPEN }
enum PullRequestReviewEvent { COMMENT APPROVE REQUEST_CHANGES }
input CommittableBranch { branchName: String id: ID repositoryNameWithOwner: String }
input CommitMessage { body: String headline: String! }
input FileChanges { additions: [FileAddition!] deletions: [FileDeletion!] }
input FileAddition { contents: Base64String! path: String! }
input FileDeletion { path: String! }
`;
