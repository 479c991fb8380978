// Holds a query against the schema before anything of it is done.
import type { DocumentNode, GraphQLSchema, ValidationRule } from 'graphql';

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

/** Returns the errors of a query, none if it may run. */
export async function validated(schema: GraphQLSchema, document: DocumentNode) {
  const { NoFragmentCyclesRule, OverlappingFieldsCanBeMergedRule, validate } = await import('graphql');
  const cycles = validate(schema, document, [NoFragmentCyclesRule]);
  if (cycles.length > 0) return cycles;
  const faults = validate(schema, document, await (kept ??= rules()));
  const conflicts = validate(schema, document, [OverlappingFieldsCanBeMergedRule]);
  // GitHub lets one name be of two types where an object has only one of them: the state of an issue or of a pull request.
  return [
    ...faults,
    ...conflicts.filter(({ message }) => !message.includes('they return conflicting types')),
  ];
}
