// The forge's part of the GraphQL schema is a part of GitHub's own, as @octokit/graphql-schema has it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  type GraphQLArgument,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { sdl } from '../../src/forge/graphql/schema.ts';

// The package exports its code alone, which holds the schema once more as JSON.
const folder = join(import.meta.dirname, '../../node_modules/@octokit/graphql-schema');
// GitHub's own file defines two fields of one type twice.
const github = buildSchema(readFileSync(join(folder, 'schema.graphql'), 'utf8'), { assumeValidSDL: true });

const kindOf = (type: GraphQLNamedType): string => Object.prototype.toString.call(type);
/** An argument, or a field of an input. */
type Given = Pick<GraphQLArgument, 'name' | 'type' | 'defaultValue'>;
const required = ({ type, defaultValue }: Given): boolean =>
  String(type).endsWith('!') && defaultValue === undefined;

/** Arguments or fields of an input that differ, or that clients have to give and the part does not take. */
function differing(where: string, part: readonly Given[], whole: readonly Given[]): string[] {
  const strange = part.flatMap(({ name, type }) => {
    const theirs = whole.find(each => each.name === name);
    return theirs && String(theirs.type) === String(type)
      ? []
      : [`${where} ${name}: ${type}, not ${theirs?.type}`];
  });
  const lacking = whole.filter(each => required(each) && !part.some(({ name }) => name === each.name));
  return [...strange, ...lacking.map(({ name }) => `${where} lacks ${name}`)];
}

/** Where a type of the part is not as in the whole. */
function deviations(part: GraphQLNamedType, whole: GraphQLNamedType | undefined): string[] {
  const { name } = part;
  if (!whole || kindOf(whole) !== kindOf(part)) return [`${name} is no such type`];
  const missing = (mine: string[], theirs: string[]) =>
    mine.filter(each => !theirs.includes(each)).map(each => `${name} has no ${each}`);
  if (isEnumType(part) && isEnumType(whole))
    return missing(
      part.getValues().map(each => each.name),
      whole.getValues().map(each => each.name),
    );
  if (isUnionType(part) && isUnionType(whole))
    return missing(part.getTypes().map(String), whole.getTypes().map(String));
  if (isInputObjectType(part) && isInputObjectType(whole))
    return differing(name, Object.values(part.getFields()), Object.values(whole.getFields()));
  if (!((isObjectType(part) && isObjectType(whole)) || (isInterfaceType(part) && isInterfaceType(whole))))
    return [];
  return [
    ...missing(part.getInterfaces().map(String), whole.getInterfaces().map(String)),
    ...Object.values(part.getFields()).flatMap(field => {
      const theirs = whole.getFields()[field.name];
      if (String(theirs?.type) !== String(field.type))
        return [`${name}.${field.name}: ${field.type}, not ${theirs?.type}`];
      return differing(`${name}.${field.name}`, field.args, theirs?.args ?? []);
    }),
  ];
}

const check = (text: string): string[] =>
  Object.values(buildSchema(text).getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap(type => deviations(type, github.getType(type.name)));

describe("GitHub's schema", () => {
  test('has every type, field, argument and value of the forge, as it is there', () => {
    expect(check(sdl)).toEqual([]);
  });

  test.each<[string, string]>([
    ['type Query { viewer: User } type User { login: String! }', 'Query.viewer: User, not User!'],
    ['type Query { nonsense: Int }', 'Query.nonsense: Int, not undefined'],
    ['type Query { user(login: String): Int }', 'Query.user: Int, not User'],
    ['type Query { node: Node } interface Node { id: ID! }', 'Query.node lacks id'],
    ['type Query { topic(name: Int!): Topic } type Topic { id: ID! }', 'Query.topic name: Int!, not String!'],
    ['enum IssueState { LOST } type Query { id: ID! }', 'IssueState has no LOST'],
    ['input AddStarInput { id: ID } type Query { id: ID! }', 'AddStarInput lacks starrableId'],
    ['type Nonsense { id: ID! } type Query { id: ID! }', 'Nonsense is no such type'],
    ['union Assignee = Topic type Topic { id: ID! } type Query { id: ID! }', 'Assignee has no Topic'],
  ])('lets nothing else pass: %s', (text, found) => {
    expect(check(text)).toContain(found);
  });
});
