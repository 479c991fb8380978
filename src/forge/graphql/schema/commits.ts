// Commits with their files and checks.
import { connectionOf, page } from './connections.ts';

export const commits = `
interface GitObject { id: ID! oid: GitObjectID! }
type Commit implements GitObject & Node {
  id: ID!
  oid: GitObjectID!
  abbreviatedOid: String!
  url: URI!
  message: String!
  messageHeadline: String!
  messageBody: String!
  authoredDate: DateTime!
  committedDate: DateTime!
  author: GitActor
  committer: GitActor
  authors(${page}): GitActorConnection!
  parents(${page}): CommitConnection!
  signature: GitSignature
  tree: Tree!
  statusCheckRollup: StatusCheckRollup
}
${connectionOf('Commit')}
type GitActor { name: String email: String date: GitTimestamp user: User }
${connectionOf('GitActor')}
interface GitSignature { isValid: Boolean! wasSignedByGitHub: Boolean! }
type GpgSignature implements GitSignature { isValid: Boolean! wasSignedByGitHub: Boolean! }
type Tree implements GitObject & Node { id: ID! oid: GitObjectID! entries: [TreeEntry!] }
type TreeEntry { name: String! type: String! object: GitObject }
type Blob implements GitObject & Node {
  id: ID!
  oid: GitObjectID!
  byteSize: Int!
  isTruncated: Boolean!
  text: String
}
enum StatusState { ERROR EXPECTED FAILURE PENDING SUCCESS }
enum CheckStatusState { COMPLETED IN_PROGRESS PENDING QUEUED REQUESTED WAITING }
enum CheckConclusionState { ACTION_REQUIRED CANCELLED FAILURE NEUTRAL SKIPPED STALE STARTUP_FAILURE SUCCESS TIMED_OUT }
enum CheckRunState { ACTION_REQUIRED CANCELLED COMPLETED FAILURE IN_PROGRESS NEUTRAL PENDING QUEUED SKIPPED STALE STARTUP_FAILURE SUCCESS TIMED_OUT WAITING }
type StatusCheckRollup implements Node {
  id: ID!
  state: StatusState!
  commit: Commit
  contexts(${page}): StatusCheckRollupContextConnection!
}
union StatusCheckRollupContext = CheckRun | StatusContext
type StatusCheckRollupContextConnection {
  totalCount: Int!
  edges: [StatusCheckRollupContextEdge]
  nodes: [StatusCheckRollupContext]
  pageInfo: PageInfo!
  checkRunCount: Int!
  checkRunCountsByState: [CheckRunStateCount!]
  statusContextCount: Int!
  statusContextCountsByState: [StatusContextStateCount!]
}
type StatusCheckRollupContextEdge { cursor: String! node: StatusCheckRollupContext }
type CheckRunStateCount { state: CheckRunState! count: Int! }
type StatusContextStateCount { state: StatusState! count: Int! }
type CheckRun implements Node {
  id: ID!
  databaseId: Int
  name: String!
  status: CheckStatusState!
  conclusion: CheckConclusionState
  startedAt: DateTime
  completedAt: DateTime
  detailsUrl: URI
  url: URI!
  title: String
  summary: String
  checkSuite: CheckSuite!
  isRequired(pullRequestId: ID, pullRequestNumber: Int): Boolean!
}
type StatusContext implements Node {
  id: ID!
  context: String!
  state: StatusState!
  targetUrl: URI
  description: String
  createdAt: DateTime!
  creator: Actor
  isRequired(pullRequestId: ID, pullRequestNumber: Int): Boolean!
}
type App implements Node { id: ID! databaseId: Int name: String! slug: String! }
type CheckSuite implements Node { id: ID! databaseId: Int app: App workflowRun: WorkflowRun }
type WorkflowRun implements Node {
  id: ID!
  databaseId: Int
  event: String!
  runNumber: Int!
  url: URI!
  workflow: Workflow!
}
type Workflow implements Node { id: ID! databaseId: Int name: String! }
`;
