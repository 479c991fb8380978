// Reads an operation that a model called as a tool.
import { didYouMean } from '../../../lib/nearest.ts';
import type { Operation, OperationProblem } from '../operation.ts';
import { type Attributes, formFault } from '../tags/opening.ts';
import { type AttributeRule, attributeNames, formOf, tagForms, type TagName } from '../tags/table.ts';
import { type CallForm, callForms } from './calls.ts';
import { oneOf, quoted } from '../../sandbox/entries.ts';
import { operationOf } from './read-fields.ts';

/**
 * A call of `js`, `datavault`, `memory`, `task`, `goal`, `ask` or `final_output` is that operation, held to the same
 * table as its tag; any other name, or one in `toolNames`, is a tool of the task. `input` is what the model wrote;
 * a field that is null counts as left out.
 */
export function readCall(
  name: string,
  input: unknown,
  toolNames: readonly string[],
): Operation | OperationProblem {
  const call = toolNames.includes(name) ? undefined : callForms.get(name);
  if (!call) return { kind: 'tool', name, input };
  const read = readFields(name, call, input);
  if ('message' in read) return read;
  const { attributes, body } = read;
  const form = formOf(call.tag, attributes);
  if (form?.body.presence === 'required' && body === undefined)
    return { message: `${name} needs ${call.body}` };
  if (form?.body.presence === 'none' && body !== undefined)
    return { message: `${name} with action="${form.action}" takes no ${call.body}` };
  const fault = formFault({ tag: call.tag, attributes }, body, 0);
  if (fault)
    return {
      message: fault.message + (fault.unknown ? didYouMean(fault.unknown.name, fault.unknown.known) : ''),
    };
  // Without a form there was a fault.
  const { field } = form!.body;
  const fields = field === undefined || body === undefined ? attributes : { ...attributes, [field]: body };
  return operationOf(call.tag, form!, fields);
}

/** The input as a tag has it: attributes, all of them texts, and a body. */
function readFields(
  name: string,
  call: CallForm,
  input: unknown,
): { attributes: Attributes; body: string | undefined } | OperationProblem {
  const names = attributeNames(call.tag);
  const known = [...new Set([...names, call.body])];
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return { message: `the input of ${name} must be an object with ${known.join(', ')}` };
  const attributes: Record<string, string> = Object.create(null);
  let body: string | undefined;
  const given: [string, unknown][] = Object.entries(input);
  for (const [key, value] of given) {
    if (!known.includes(key))
      return { message: `${name} has no attribute ${quoted(key)}${didYouMean(key, known)}` };
    if (value === null || value === undefined) continue;
    const rule = ruleOf(call.tag, key);
    const text = textOf(rule, value);
    if (text === undefined) return { message: `${key} of ${name} must be ${wanted(key, rule)}` };
    if (names.has(key)) attributes[key] = text;
    else body = text;
  }
  return { attributes, body };
}

/** What the table says of the field in the first form that has it; a body is text. */
function ruleOf(tag: TagName, key: string): AttributeRule['values'] {
  return tagForms[tag].find(form => Object.hasOwn(form.attributes, key))?.attributes[key]?.values ?? 'text';
}

/** A text; or, where the table has words for them, a number or a boolean. */
function textOf(rule: AttributeRule['values'], value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const takesBooleans = typeof rule === 'object' && rule.includes('true');
  const fits =
    (typeof value === 'number' && rule === 'characters') || (typeof value === 'boolean' && takesBooleans);
  return fits ? String(value) : undefined;
}

function wanted(key: string, rule: AttributeRule['values']): string {
  if (rule === 'characters') return 'a number of characters, or full-length';
  if (rule !== 'text') return oneOf(rule);
  return key === 'content' ? 'text (data: its JSON as a text)' : 'text';
}
