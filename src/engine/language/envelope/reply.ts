// Reads the result out of a model's reply. Lenient: nothing the model wrote is lost, except for what is declared.
import type { Json } from '@echelon/ground';
import type { Output } from '../ast.ts';
import { convert } from './mentions.ts';
import { envelopeOf } from './decide.ts';
import type { Given, Reply } from './parts.ts';
import { compileSchema, type SchemaCheck } from '../output-schema.ts';
import { TaskError } from '../result.ts';

/** The warnings that are kept of one reply. */
const WARNINGS = 30;

/**
 * The result in `text`: that of its envelope, or else the text as the content of a COMPLETE result. Throws TaskError
 * INVALID_OUTPUT when a declared output is of the wrong type, does not fit its schema, or is missing from a COMPLETE
 * result, and when the text says something twice and differently. Takes time in proportion to the text.
 */
export function parseReply(text: string, declared: readonly Output[] = []): Reply {
  // Neither XML nor an object is in it.
  if (declared.length === 0 && !/[<{]/.test(text))
    return { status: 'COMPLETE', content: text, criteria: undefined, outputs: {}, notes: {}, warnings: [] };
  const envelope = envelopeOf(text, declared);
  const { outputs, warnings } = envelope;
  const violations = envelope.problems;
  const values: [string, Json][] = [];
  for (const output of declared) {
    const given = outputs.get(output.name);
    outputs.delete(output.name);
    const converted = given && convert(given, output);
    if (converted) {
      values.push([output.name, converted.value]);
      if (output.schema !== undefined) violations.push(...misfits(converted.value, output, warnings));
    } else if (given)
      violations.push(
        `output "${output.name}" is ${shown(given)}, not ${article[output.type]}${output.nullable ? ' or null' : ''}`,
      );
    else if (output.nullable) {
      values.push([output.name, null]);
      warnings.push(`output "${output.name}" is missing and taken as null`);
    } else if (envelope.status === 'COMPLETE') violations.push(`output "${output.name}" is missing`);
  }
  for (const [name, given] of outputs) {
    values.push([name, 'value' in given ? given.value : given.text]);
    warnings.push(`output "${name.slice(0, 60)}" is not declared`);
  }
  envelope.warnings = limited(warnings);
  if (violations.length > 0)
    throw new TaskError({ code: 'INVALID_OUTPUT', violations }, `the reply's ${violations.join('; ')}`, {
      notes: { warnings: envelope.warnings },
    });
  const { status, content, value, criteria, notes } = envelope;
  const reply: Reply = {
    status,
    content,
    criteria,
    outputs: Object.fromEntries(values),
    notes,
    warnings: envelope.warnings,
  };
  if (value !== undefined) reply.value = values.length > 0 ? { content: value, ...reply.outputs } : value;
  return reply;
}

function limited(warnings: string[]): string[] {
  const all = [...new Set(warnings)];
  return all.length > WARNINGS
    ? [...all.slice(0, WARNINGS), `and ${all.length - WARNINGS} more warnings`]
    : all;
}

const article = { string: 'a string', number: 'a number', boolean: 'true or false', json: 'JSON' } as const;

function shown(given: Given): string {
  const words = JSON.stringify('value' in given ? given.value : given.text);
  return words.length > 60 ? `${words.slice(0, 60)}...` : words;
}

/** A schema is compiled once: a loop reads many replies with the outputs of one task. */
const compiled = new WeakMap<Output, SchemaCheck | { problem: string }>();

function misfits(value: Json, output: Output, warnings: string[]): string[] {
  if (output.schema === undefined || (value === null && output.nullable)) return [];
  let check = compiled.get(output);
  if (!check) compiled.set(output, (check = compileSchema(output.schema)));
  if (typeof check === 'function')
    return check(value).map(each => `output "${output.name}" does not fit its schema: ${each}`);
  warnings.push(`the schema of output "${output.name}" is not used: ${check.problem}`);
  return [];
}
