// Makes packages/forge/graphql/schema.graphql: the part of GitHub's schema that the forge serves.
//
// The file names what is served. To serve more, write its name there (a field `bio: String`), and renew the file:
//   npx node tests/forge/graphql-schema.ts
// Types, arguments, order and spelling are then GitHub's, as @octokit/graphql-schema has them; a name that GitHub has not
// is dropped.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ASTNode, Kind, parse, print, visit } from 'graphql';

const root = join(import.meta.dirname, '../..');
/** The part that the forge serves. */
export const servedFile = join(root, 'packages/forge/graphql/schema.graphql');
// The package exports its code alone, which holds the schema once more as JSON.
const github = parse(readFileSync(join(root, 'node_modules/@octokit/graphql-schema/schema.graphql'), 'utf8'));

const head = `# The part of GitHub's GraphQL schema that the forge serves, made by tests/forge/graphql-schema.ts.\n\n`;

type Above = readonly (ASTNode | readonly ASTNode[])[];

const named = (node: ASTNode): string | undefined =>
  'name' in node && node.name?.kind === Kind.NAME ? node.name.value : undefined;

/** `Type field argument` of a node; the members of a union and the interfaces of a type are beside its fields. */
function placeOf(node: ASTNode, ancestors: Above): string {
  const above = ancestors.flatMap(each => ('kind' in each ? (named(each) ?? []) : []));
  return [...above, named(node) ?? ''].join(' ');
}

/** True for required input. */
const isRequired = (node: ASTNode): boolean =>
  node.kind === Kind.INPUT_VALUE_DEFINITION && node.type.kind === Kind.NON_NULL_TYPE && !node.defaultValue;

const proseOrDirective = new Set<string>([Kind.STRING, Kind.DIRECTIVE, Kind.DIRECTIVE_DEFINITION]);

/** GitHub's schema without all that `part` does not name. */
export function reduced(part: string): string {
  const served = new Set<string>();
  visit(parse(part), {
    enter: (node, _key, parent, _path, above: Above) =>
      void served.add(placeOf(node, [...above, parent ?? []])),
  });
  const kept: ASTNode = visit(github, {
    enter(node, _key, parent, _path, above: Above) {
      const isLeftOut =
        node.kind !== Kind.OBJECT_FIELD &&
        named(node) !== undefined &&
        !served.has(placeOf(node, [...above, parent ?? []])) &&
        !isRequired(node);
      return isLeftOut || proseOrDirective.has(node.kind) ? null : undefined;
    },
  });
  return `${head}${print(kept)}\n`;
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(servedFile, reduced(readFileSync(servedFile, 'utf8')));
