// Checks an output against its JSON Schema.
import { z } from 'zod';
import { type Json, messageOf } from '@echelon/ground';
import { plainSchema, SchemaProblem } from './plain-schema.ts';

/** Says where and why a value does not fit; an empty list: it fits. */
export type SchemaCheck = (value: Json) => string[];

/** The violations that are told; a model needs no more of them to mend its reply. */
const VIOLATIONS = 10;

/**
 * The check for values of `schema`, or what keeps it from being used; plain-schema.ts tells what is understood. Never
 * throws, nor does the check. Each violation begins with the path in the value, as in `items.0.name: is missing`.
 */
export function compileSchema(schema: Json): SchemaCheck | { problem: string } {
  try {
    const plain = plainSchema(schema);
    const compiled = z.fromJSONSchema(plain as Parameters<typeof z.fromJSONSchema>[0], {
      registry: z.registry<z.core.GlobalMeta>(),
    });
    return value => violations(compiled, value);
  } catch (error) {
    if (error instanceof SchemaProblem) return { problem: error.message };
    return { problem: `it cannot be compiled: ${messageOf(error)}` };
  }
}

function violations(compiled: z.core.$ZodType, value: Json): string[] {
  try {
    const checked = z.safeParse(compiled, value);
    if (checked.success) return [];
    const found = checked.error.issues.map(issue => told(issue, value));
    return found.length > VIOLATIONS
      ? [...found.slice(0, VIOLATIONS), `and ${found.length - VIOLATIONS} more`]
      : found;
  } catch {
    // Thrown over the value, for want of stack and the like: there is no issue to name.
    return ['it cannot be checked'];
  }
}

type Issue = z.core.$ZodIssue;

function told(issue: Issue, root: Json, above: readonly PropertyKey[] = []): string {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union') {
    // The alternative that was meant is the one that went well the furthest.
    const nested = issue.errors.flat().filter(each => each.path.length > 0);
    if (nested.length > 0)
      return told(
        nested.reduce((far, each) => (each.path.length > far.path.length ? each : far)),
        root,
        path,
      );
  }
  const place = path.map(step => String(step).slice(0, 60)).join('.');
  const what =
    path.length > 0 && at(root, path) === undefined
      ? 'is missing'
      : issue.code === 'invalid_union' && issue.errors.length > 0
        ? 'fits none of the alternatives'
        : issue.message.slice(0, 200);
  return place === '' ? what : `${place}: ${what}`;
}

function at(value: Json, path: readonly PropertyKey[]): Json | undefined {
  let here: Json | undefined = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as { readonly [key: PropertyKey]: Json })[step];
  }
  return here;
}
