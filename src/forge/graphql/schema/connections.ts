// Lists, which all have one shape: a window of items with cursors.

/** The arguments that choose the window. */
export const page = 'first: Int, last: Int, after: String, before: String';

/** The types of a list of `node`, where the list is not called after it by another `name`. */
export const connectionOf = (node: string, name = node): string =>
  `type ${name}Connection { totalCount: Int! edges: [${name}Edge] nodes: [${node}] pageInfo: PageInfo! }
type ${name}Edge { cursor: String! node: ${node} }`;

/** What everything that somebody says has. */
export const commentFields = `id: ID!
  databaseId: Int
  fullDatabaseId: BigInt
  url: URI!
  body: String!
  author: Actor
  authorAssociation: CommentAuthorAssociation!
  editor: Actor
  viewerDidAuthor: Boolean!
  includesCreatedEdit: Boolean!
  createdAt: DateTime!
  updatedAt: DateTime!
  lastEditedAt: DateTime
  isMinimized: Boolean!
  minimizedReason: String
  reactionGroups: [ReactionGroup!]`;
