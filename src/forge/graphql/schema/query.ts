// Where a query begins, and what every part of the schema uses.
import { page } from './connections.ts';

export const query = `
scalar DateTime
scalar URI
scalar BigInt
scalar GitObjectID
scalar Base64String
scalar GitSSHRemote
scalar GitTimestamp
type Query {
  viewer: User!
  user(login: String!): User
  organization(login: String!): Organization
  repositoryOwner(login: String!): RepositoryOwner
  repository(owner: String!, name: String!, followRenames: Boolean): Repository
  node(id: ID!): Node
  nodes(ids: [ID!]!): [Node]!
  search(query: String!, type: SearchType!, ${page}): SearchResultItemConnection!
  rateLimit: RateLimit
}
type RateLimit { limit: Int! cost: Int! remaining: Int! used: Int! resetAt: DateTime! nodeCount: Int! }
interface Node { id: ID! }
type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
enum OrderDirection { ASC DESC }
enum SearchType { ISSUE }
union SearchResultItem = App | Issue | Organization | PullRequest | Repository | User
type SearchResultItemConnection {
  issueCount: Int!
  codeCount: Int!
  repositoryCount: Int!
  userCount: Int!
  wikiCount: Int!
  discussionCount: Int!
  edges: [SearchResultItemEdge]
  nodes: [SearchResultItem]
  pageInfo: PageInfo!
}
type SearchResultItemEdge { cursor: String! node: SearchResultItem }
`;
