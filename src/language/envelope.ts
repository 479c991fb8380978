// Reads the result out of a model's reply. Lenient: nothing the model wrote is lost, except for what is declared.
import type { Json } from '../lib/json.ts';
import type { Output } from './ast.ts';
import { jsonEnvelope } from './envelope-json.ts';
import { type Envelope, parseJson, type Reply } from './envelope-parts.ts';
import { xmlEnvelope } from './envelope-xml.ts';
import { TaskError } from './result.ts';

/**
 * The result in `text`: its `<result>` envelope, a JSON envelope that is the whole reply, or else the text as the
 * content of a COMPLETE result. Throws TaskError INVALID_OUTPUT when a declared output is of the wrong type, or
 * missing from a COMPLETE result.
 */
export function parseReply(text: string, declared: readonly Output[] = []): Reply {
  const envelope = jsonEnvelope(text, declared) ?? xmlEnvelope(text) ?? plain(text);
  const { outputs, ...rest } = envelope;
  const warnings = [...envelope.warnings];
  const violations: string[] = [];
  const values: [string, Json][] = [];
  for (const output of declared) {
    const given = outputs.get(output.name);
    outputs.delete(output.name);
    const converted = given && convert(given, output);
    if (converted) values.push([output.name, converted.value]);
    else if (given)
      violations.push(
        `output "${output.name}" is ${shown(given)}, not ${article[output.type]}${output.nullable ? ' or null' : ''}`,
      );
    else if (output.nullable) {
      values.push([output.name, null]);
      warnings.push(`output "${output.name}" is missing and taken as null`);
    } else if (envelope.status === 'COMPLETE') violations.push(`output "${output.name}" is missing`);
  }
  if (violations.length > 0)
    throw new TaskError({ code: 'INVALID_OUTPUT', violations }, `the reply's ${violations.join('; ')}`, {
      notes: { warnings },
    });
  for (const [name, given] of outputs) {
    values.push([name, 'value' in given ? given.value : given.text]);
    warnings.push(`output "${name}" is not declared`);
  }
  return { ...rest, outputs: Object.fromEntries(values), warnings };
}

function plain(text: string): Envelope {
  const warnings: string[] = [];
  if (/^\s*\{\s*"(?:status|content|outputs)"/.test(text) && parseJson(text) === undefined)
    warnings.push('the reply looks like a JSON envelope and is not JSON; it is taken as it stands');
  return { status: 'COMPLETE', content: text, criteria: undefined, outputs: new Map(), notes: {}, warnings };
}

const article = { string: 'a string', number: 'a number', boolean: 'true or false', json: 'JSON' } as const;

function shown(given: { text: string } | { value: Json }): string {
  const words = JSON.stringify('value' in given ? given.value : given.text);
  return words.length > 60 ? `${words.slice(0, 60)}...` : words;
}

/** The typed value, or nothing when it does not fit. Text comes from XML, where everything is text. */
function convert(
  given: { text: string } | { value: Json },
  { type, nullable }: Output,
): { value: Json } | undefined {
  if ('value' in given) {
    const fits = type === 'json' || typeof given.value === type || (nullable && given.value === null);
    return fits ? { value: given.value } : undefined;
  }
  const words = given.text.trim();
  if (nullable && (words === 'null' || (words === '' && type !== 'string'))) return { value: null };
  if (type === 'string') return { value: given.text };
  if (type === 'boolean')
    return /^(?:true|false)$/i.test(words) ? { value: words.toLowerCase() === 'true' } : undefined;
  const value = parseJson(words);
  if (value === undefined || (type === 'number' && typeof value !== 'number')) return undefined;
  return { value };
}
