// What changes issues.

export const changeIssues = `
type Mutation {
  createIssue(input: CreateIssueInput!): CreateIssuePayload
  updateIssue(input: UpdateIssueInput!): UpdateIssuePayload
  closeIssue(input: CloseIssueInput!): CloseIssuePayload
  reopenIssue(input: ReopenIssueInput!): ReopenIssuePayload
  deleteIssue(input: DeleteIssueInput!): DeleteIssuePayload
  addComment(input: AddCommentInput!): AddCommentPayload
  updateIssueComment(input: UpdateIssueCommentInput!): UpdateIssueCommentPayload
  deleteIssueComment(input: DeleteIssueCommentInput!): DeleteIssueCommentPayload
  minimizeComment(input: MinimizeCommentInput!): MinimizeCommentPayload
  addLabelsToLabelable(input: AddLabelsToLabelableInput!): AddLabelsToLabelablePayload
  removeLabelsFromLabelable(input: RemoveLabelsFromLabelableInput!): RemoveLabelsFromLabelablePayload
  addAssigneesToAssignable(input: AddAssigneesToAssignableInput!): AddAssigneesToAssignablePayload
  removeAssigneesFromAssignable(input: RemoveAssigneesFromAssignableInput!): RemoveAssigneesFromAssignablePayload
  lockLockable(input: LockLockableInput!): LockLockablePayload
  unlockLockable(input: UnlockLockableInput!): UnlockLockablePayload
}
input CreateIssueInput {
  clientMutationId: String
  repositoryId: ID!
  title: String!
  body: String
  assigneeIds: [ID!]
  labelIds: [ID!]
  milestoneId: ID
  projectIds: [ID!]
}
type CreateIssuePayload { clientMutationId: String issue: Issue }
input UpdateIssueInput {
  clientMutationId: String
  id: ID!
  title: String
  body: String
  assigneeIds: [ID!]
  labelIds: [ID!]
  milestoneId: ID
  projectIds: [ID!]
  state: IssueState
}
type UpdateIssuePayload { clientMutationId: String issue: Issue }
input CloseIssueInput { clientMutationId: String issueId: ID! stateReason: IssueClosedStateReason }
type CloseIssuePayload { clientMutationId: String issue: Issue }
input ReopenIssueInput { clientMutationId: String issueId: ID! }
type ReopenIssuePayload { clientMutationId: String issue: Issue }
input DeleteIssueInput { clientMutationId: String issueId: ID! }
type DeleteIssuePayload { clientMutationId: String repository: Repository }
input AddCommentInput { clientMutationId: String subjectId: ID! body: String! }
type AddCommentPayload { clientMutationId: String commentEdge: IssueCommentEdge subject: Node }
input UpdateIssueCommentInput { clientMutationId: String id: ID! body: String! }
type UpdateIssueCommentPayload { clientMutationId: String issueComment: IssueComment }
input DeleteIssueCommentInput { clientMutationId: String id: ID! }
type DeleteIssueCommentPayload { clientMutationId: String }
input MinimizeCommentInput { clientMutationId: String subjectId: ID! classifier: ReportedContentClassifiers! }
type MinimizeCommentPayload { clientMutationId: String minimizedComment: Minimizable }
input AddLabelsToLabelableInput { clientMutationId: String labelableId: ID! labelIds: [ID!]! }
type AddLabelsToLabelablePayload { clientMutationId: String labelable: Labelable }
input RemoveLabelsFromLabelableInput { clientMutationId: String labelableId: ID! labelIds: [ID!]! }
type RemoveLabelsFromLabelablePayload { clientMutationId: String labelable: Labelable }
input AddAssigneesToAssignableInput { clientMutationId: String assignableId: ID! assigneeIds: [ID!]! }
type AddAssigneesToAssignablePayload { clientMutationId: String assignable: Assignable }
input RemoveAssigneesFromAssignableInput { clientMutationId: String assignableId: ID! assigneeIds: [ID!]! }
type RemoveAssigneesFromAssignablePayload { clientMutationId: String assignable: Assignable }
input LockLockableInput { clientMutationId: String lockableId: ID! lockReason: LockReason }
type LockLockablePayload { clientMutationId: String lockedRecord: Lockable }
input UnlockLockableInput { clientMutationId: String lockableId: ID! }
type UnlockLockablePayload { clientMutationId: String unlockedRecord: Lockable }
enum IssueClosedStateReason { COMPLETED NOT_PLANNED DUPLICATE }
enum ReportedContentClassifiers { SPAM ABUSE OFF_TOPIC OUTDATED DUPLICATE RESOLVED }
`;
