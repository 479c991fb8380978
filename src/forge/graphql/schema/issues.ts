// Issues and their comments, with what pull requests share of them.
import { commentFields, connectionOf, page } from './connections.ts';

export const issues = `
enum IssueState { CLOSED OPEN }
enum IssueStateReason { COMPLETED NOT_PLANNED REOPENED DUPLICATE }
enum LockReason { OFF_TOPIC RESOLVED SPAM TOO_HEATED }
enum CommentAuthorAssociation { OWNER COLLABORATOR NONE }
enum IssueOrderField { CREATED_AT UPDATED_AT COMMENTS }
input IssueOrder { direction: OrderDirection! field: IssueOrderField! }
input IssueFilters {
  assignee: String
  createdBy: String
  labels: [String!]
  mentioned: String
  since: DateTime
  states: [IssueState!]
}
${connectionOf('Issue')}
union IssueOrPullRequest = Issue | PullRequest
interface Comment {
  id: ID!
  author: Actor
  authorAssociation: CommentAuthorAssociation!
  body: String!
  createdAt: DateTime!
  updatedAt: DateTime!
  lastEditedAt: DateTime
  includesCreatedEdit: Boolean!
  editor: Actor
  viewerDidAuthor: Boolean!
}
interface Assignable { assignees(${page}): UserConnection! }
interface Labelable { labels(${page}): LabelConnection }
interface Lockable { locked: Boolean! activeLockReason: LockReason }
interface Reactable { id: ID! databaseId: Int reactionGroups: [ReactionGroup!] }
interface Closable { closed: Boolean! closedAt: DateTime }
type Issue implements Assignable & Closable & Comment & Labelable & Lockable & Node & Reactable {
  id: ID!
  databaseId: Int
  fullDatabaseId: BigInt
  number: Int!
  title: String!
  body: String!
  url: URI!
  state: IssueState!
  stateReason: IssueStateReason
  closed: Boolean!
  closedAt: DateTime
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
  isPinned: Boolean
  repository: Repository!
  milestone: Milestone
  assignees(${page}): UserConnection!
  labels(${page}): LabelConnection
  comments(${page}): IssueCommentConnection!
  reactionGroups: [ReactionGroup!]
  userContentEdits(${page}): UserContentEditConnection
  parent: Issue
  subIssues(${page}): IssueConnection!
  subIssuesSummary: SubIssuesSummary!
  closedByPullRequestsReferences(includeClosedPrs: Boolean, ${page}): PullRequestConnection
  projectCards(${page}): ProjectCardConnection!
  projectItems(${page}): ProjectV2ItemConnection!
}
type SubIssuesSummary { total: Int! completed: Int! percentCompleted: Int! }
type IssueComment implements Comment & Minimizable & Node & Reactable {
  ${commentFields}
  userContentEdits(${page}): UserContentEditConnection
}
interface Minimizable { isMinimized: Boolean! minimizedReason: String }
${connectionOf('IssueComment')}
enum ReactionContent { CONFUSED EYES HEART HOORAY LAUGH ROCKET THUMBS_DOWN THUMBS_UP }
type ReactionGroup {
  content: ReactionContent!
  users(${page}): ReactingUserConnection!
}
type ReactingUserConnection { totalCount: Int! edges: [ReactingUserEdge] nodes: [User] pageInfo: PageInfo! }
type ReactingUserEdge { cursor: String! node: User! reactedAt: DateTime! }
type UserContentEdit implements Node {
  id: ID!
  editor: Actor
  editedAt: DateTime!
  createdAt: DateTime!
  diff: String
}
${connectionOf('UserContentEdit')}
`;
