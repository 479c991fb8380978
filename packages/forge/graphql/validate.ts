// Holds a query against the schema before anything of it is done, and bounds what one query may cost.
import type {
  DocumentNode,
  FragmentDefinitionNode,
  GraphQLSchema,
  SelectionNode,
  SelectionSetNode,
  ValidationRule,
} from 'graphql';
import { GraphqlRefusal } from './connection.ts';

const limits = {
  /** GitHub's: how many nodes the lists of a query may name together. */
  nodes: 500_000,
  /** Fields with each fragment in its places: the largest query of GitHub's own client has 400. */
  fields: 5_000,
  /** Levels of fields; that client asks for 14. */
  depth: 50,
};

/** Throws what is wrong with a query that asks for more than one query may. */
function bound(document: DocumentNode, variables: Readonly<Record<string, unknown>>): void {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const each of document.definitions)
    if (each.kind === 'FragmentDefinition') fragments.set(each.name.value, each);
  const known = new Map<string, Cost>();
  const sizeOf = ({
    arguments: given = [],
  }: Extract<SelectionNode, { kind: 'Field' }>): number | undefined => {
    const size = given.find(({ name }) => name.value === 'first' || name.value === 'last')?.value;
    if (size?.kind === 'IntValue') return Number(size.value);
    if (size?.kind !== 'Variable') return undefined;
    const value = variables[size.name.value];
    return typeof value === 'number' ? value : 100;
  };
  const costOf = (set: SelectionSetNode | undefined, depth: number): Cost => {
    if (depth > limits.depth) throw tooDeep();
    const total = { fields: 0, nodes: 0, height: 0 };
    for (const each of set?.selections ?? []) {
      const { fields, nodes, height } = costOfSelection(each, depth);
      total.fields += fields;
      total.nodes += nodes;
      total.height = Math.max(total.height, height);
    }
    if (depth + total.height > limits.depth) throw tooDeep();
    if (total.fields > limits.fields)
      throw tooMuch('FIELDS', `has more than ${limits.fields} fields, each fragment counted in its places`);
    return total;
  };
  const costOfSelection = (each: SelectionNode, depth: number): Cost => {
    if (each.kind === 'InlineFragment') return costOf(each.selectionSet, depth);
    if (each.kind === 'Field') {
      const { fields, nodes, height } = costOf(each.selectionSet, depth + 1);
      const size = sizeOf(each);
      return {
        fields: fields + 1,
        nodes: size === undefined ? nodes : size * (1 + nodes),
        height: height + 1,
      };
    }
    const name = each.name.value;
    const cost = known.get(name) ?? costOf(fragments.get(name)?.selectionSet, depth);
    known.set(name, cost);
    return cost;
  };
  for (const each of document.definitions) {
    if (each.kind !== 'OperationDefinition') continue;
    const { nodes } = costOf(each.selectionSet, 0);
    if (nodes > limits.nodes)
      throw tooMuch(
        'NODE',
        `requests up to ${nodes.toLocaleString('en')} possible nodes which exceeds the maximum limit of ${limits.nodes.toLocaleString('en')}`,
      );
  }
}

interface Cost {
  fields: number;
  nodes: number;
  /** Levels of fields. */
  height: number;
}

export const tooDeep = () => tooMuch('DEPTH', `has more than ${limits.depth} levels of fields`);
const tooMuch = (what: string, why: string) =>
  new GraphqlRefusal(`MAX_${what}_LIMIT_EXCEEDED`, `This query ${why}. Ask for less at once.`);

/** Reports unknown fields in GitHub's words, from which clients detect an older server. */
async function rules(): Promise<ValidationRule[]> {
  const {
    FieldsOnCorrectTypeRule,
    GraphQLError,
    KnownArgumentNamesRule,
    OverlappingFieldsCanBeMergedRule,
    specifiedRules,
  } = await import('graphql');
  const lacking: ValidationRule = context => ({
    Field(node) {
      const type = context.getParentType();
      const name = node.name.value;
      const field = context.getFieldDef();
      if (!type) return;
      const refuse = (message: string, extensions: object) =>
        context.reportError(new GraphQLError(message, { nodes: node, extensions: { ...extensions } }));
      if (!field)
        return refuse(`Field '${name}' doesn't exist on type '${type.name}'`, {
          code: 'undefinedField',
          typeName: type.name,
          fieldName: name,
        });
      for (const { name: argument } of node.arguments ?? [])
        if (!field.args.some(each => each.name === argument.value))
          refuse(`Field '${name}' doesn't accept argument '${argument.value}'`, {
            code: 'argumentNotAccepted',
            name,
            typeName: 'Field',
            argumentName: argument.value,
          });
    },
  });
  const replaced = new Set([
    FieldsOnCorrectTypeRule,
    KnownArgumentNamesRule,
    OverlappingFieldsCanBeMergedRule,
  ]);
  return [...specifiedRules.filter(rule => !replaced.has(rule)), lacking];
}

let kept: Promise<ValidationRule[]> | undefined;

/** Returns the errors of a query, none if it may run. Throws GraphqlRefusal if the query is too expensive. */
export async function validated(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
) {
  const { NoFragmentCyclesRule, OverlappingFieldsCanBeMergedRule, validate } = await import('graphql');
  const cycles = validate(schema, document, [NoFragmentCyclesRule]);
  if (cycles.length > 0) return cycles;
  bound(document, variables);
  const faults = validate(schema, document, await (kept ??= rules()));
  const conflicts = validate(schema, document, [OverlappingFieldsCanBeMergedRule]);
  // GitHub lets one name be of two types where an object has only one of them: the state of an issue or of a pull request.
  return [
    ...faults,
    ...conflicts.filter(({ message }) => !message.includes('they return conflicting types')),
  ];
}
