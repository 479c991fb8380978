// People, bots and organisations.
import { connectionOf, page } from './connections.ts';

const repositories = `repositories(
    privacy: RepositoryPrivacy, isFork: Boolean, ownerAffiliations: [RepositoryAffiliation], orderBy: RepositoryOrder,
    ${page}): RepositoryConnection!`;

export const accounts = `
interface Actor { login: String! url: URI! avatarUrl(size: Int): URI! }
interface RepositoryOwner {
  id: ID!
  login: String!
  url: URI!
  avatarUrl(size: Int): URI!
  ${repositories}
}
type User implements Actor & Node & RepositoryOwner {
  id: ID!
  databaseId: Int
  login: String!
  name: String
  url: URI!
  avatarUrl(size: Int): URI!
  ${repositories}
}
type Bot implements Actor & Node { id: ID! databaseId: Int login: String! url: URI! avatarUrl(size: Int): URI! }
type Organization implements Actor & Node & RepositoryOwner {
  id: ID!
  databaseId: Int
  login: String!
  name: String
  url: URI!
  avatarUrl(size: Int): URI!
  ${repositories}
  team(slug: String!): Team
  teams(query: String, orderBy: TeamOrder, ${page}): TeamConnection!
  projects(states: [ProjectState!], orderBy: ProjectOrder, ${page}): ProjectConnection!
  projectsV2(query: String, orderBy: ProjectV2Order, ${page}): ProjectV2Connection!
}
type Team implements Node { id: ID! name: String! slug: String! organization: Organization! }
enum TeamOrderField { NAME }
input TeamOrder { direction: OrderDirection! field: TeamOrderField! }
${connectionOf('Team')}
enum RepositoryPrivacy { PRIVATE PUBLIC }
enum RepositoryAffiliation { COLLABORATOR ORGANIZATION_MEMBER OWNER }
enum RepositoryOrderField { CREATED_AT NAME PUSHED_AT UPDATED_AT }
input RepositoryOrder { direction: OrderDirection! field: RepositoryOrderField! }
${connectionOf('Repository')}
${connectionOf('User')}
`;
