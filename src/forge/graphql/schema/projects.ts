// Projects, which the forge has none of: clients ask for them with every issue, and get empty lists.
import { connectionOf } from './connections.ts';

export const projects = `
enum ProjectState { CLOSED OPEN }
enum ProjectOrderField { CREATED_AT NAME UPDATED_AT }
input ProjectOrder { direction: OrderDirection! field: ProjectOrderField! }
type Project implements Closable & Node {
  id: ID!
  name: String!
  number: Int!
  body: String
  resourcePath: URI!
  closed: Boolean!
  closedAt: DateTime
}
${connectionOf('Project')}
type ProjectColumn implements Node { id: ID! name: String! }
type ProjectCard implements Node { id: ID! project: Project! column: ProjectColumn }
${connectionOf('ProjectCard')}
enum ProjectV2OrderField { CREATED_AT NUMBER TITLE UPDATED_AT }
input ProjectV2Order { direction: OrderDirection! field: ProjectV2OrderField! }
type ProjectV2 implements Closable & Node {
  id: ID!
  title: String!
  number: Int!
  resourcePath: URI!
  closed: Boolean!
  closedAt: DateTime
}
${connectionOf('ProjectV2')}
type ProjectV2Item implements Node {
  id: ID!
  project: ProjectV2!
  fieldValueByName(name: String!): ProjectV2ItemFieldValue
}
${connectionOf('ProjectV2Item')}
union ProjectV2ItemFieldValue = ProjectV2ItemFieldSingleSelectValue
type ProjectV2ItemFieldSingleSelectValue implements Node { id: ID! optionId: String name: String }
`;
