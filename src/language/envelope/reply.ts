// Reads the result out of a model's reply. Lenient: nothing the model wrote is lost, except for what is declared.
import type { Json } from '../../lib/json.ts';
import type { Output } from '../ast.ts';
import { jsonEnvelope, looksLikeJsonEnvelope } from './json.ts';
import type { Envelope, Given, Reply } from './parts.ts';
import { convert } from './convert.ts';
import { twoAnswers } from './two-answers.ts';
import { xmlEnvelope } from './xml.ts';
import { compileSchema, type SchemaCheck } from '../schema/output-schema.ts';
import { TaskError } from '../result.ts';

/** The warnings that are kept of one reply. */
const WARNINGS = 30;

/**
 * The result in `text`: its `<result>` envelope, a JSON envelope that is the whole reply, or else the text as the
 * content of a COMPLETE result. Throws TaskError INVALID_OUTPUT when a declared output is of the wrong type, does
 * not fit its schema, or is missing from a COMPLETE result, and when the text gives two answers that differ. Takes
 * time in proportion to the text.
 */
export function parseReply(text: string, declared: readonly Output[] = []): Reply {
  const json = jsonEnvelope(text, declared);
  const answers = json ? undefined : xmlEnvelope(text, declared);
  const envelope = json ?? answers?.envelope ?? plain(text, declared);
  const { outputs, warnings } = envelope;
  const violations: string[] = [];
  const twice = answers && declared.length > 0 ? twoAnswers(answers, declared) : undefined;
  if (twice !== undefined) violations.push(twice);
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
  const { status, content, criteria, notes } = envelope;
  return {
    status,
    content,
    criteria,
    outputs: values.length === 0 ? {} : Object.fromEntries(values),
    notes,
    warnings: envelope.warnings,
  };
}

function limited(warnings: string[]): string[] {
  if (warnings.length < 2) return warnings;
  const all = [...new Set(warnings)];
  return all.length > WARNINGS
    ? [...all.slice(0, WARNINGS), `and ${all.length - WARNINGS} more warnings`]
    : all;
}

function plain(text: string, declared: readonly Output[]): Envelope {
  const warnings: string[] = [];
  if (looksLikeJsonEnvelope(text, declared))
    warnings.push('the reply looks like a JSON envelope that cannot be read; it is taken as it stands');
  else if (text.includes('</result') && /^[ \t]*<result[\s>]/m.test(text))
    warnings.push('the reply quotes an envelope in code; it is taken as it stands');
  else if (/^\s*<(?:result|content|output)\s/.test(text) || text.trimEnd().endsWith('</result>'))
    warnings.push('the reply looks like a part of an envelope; it is taken as it stands');
  return { status: 'COMPLETE', content: text, criteria: undefined, outputs: new Map(), notes: {}, warnings };
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
