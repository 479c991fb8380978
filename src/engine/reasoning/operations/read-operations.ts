// Reads the operations that a model asks for: those that it wrote as tags, and those that it called as tools.
import { didYouMean, type LineColumn, placesIn } from '@echelon/ground';
import { oneOf, quoted } from '../../sandbox/entries.ts';
import type { Operation, OperationProblem } from '../operation.ts';
import { attributeNames, formOf } from '../tags/forms.ts';
import { formFor } from '../tags/opening.ts';
import { scanTags, type TagBlock } from '../tags/scan.ts';
import { charactersOf, type Fields } from './fields.ts';
import { type AttributeRule, callForms, operations, type TagForm, type TagName } from './table.ts';

export type ReplyItem = { operation: Operation; at: LineColumn } | { problem: OperationProblem };

/** Malformed tags that are told one by one: a reply can hold a hundred thousand. */
const PROBLEMS = 100;

/**
 * The operations and the problems of `text` in its order (a tag with the name of one of `tools` is a call of it), and what stands around the blocks. After the first hundred
 * problems one more says how many are left.
 */
export function readReply(
  text: string,
  tools: readonly string[] = [],
): { items: ReplyItem[]; prose: string } {
  const { blocks, problems } = scanTags(text, tools);
  const place = placesIn(text);
  const found: { offset: number; item: ReplyItem }[] = problems.map(({ message, line, column, offset }) => ({
    offset,
    item: { problem: { message, line, column } },
  }));
  for (const { tag, attributes, body, start } of blocks) {
    const at = place(start);
    const read = operationOf(tag, attributes, body);
    const item = 'message' in read ? { problem: { ...read, ...at } } : { operation: read, at };
    found.push({ offset: start, item });
  }
  found.sort((a, b) => a.offset - b.offset);
  return { items: withFewProblems(found.map(({ item }) => item)), prose: around(text, blocks) };
}

function withFewProblems(items: ReplyItem[]): ReplyItem[] {
  const told: ReplyItem[] = [];
  let problems = 0;
  for (const item of items) if (!('problem' in item) || ++problems <= PROBLEMS) told.push(item);
  if (problems > PROBLEMS)
    told.push({ problem: { message: `and ${problems - PROBLEMS} more tags are malformed` } });
  return told;
}

function around(text: string, blocks: readonly TagBlock[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of blocks) {
    parts.push(text.slice(at, start).trim());
    at = end;
  }
  parts.push(text.slice(at).trim());
  return parts.filter(part => part !== '').join('\n');
}

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
  const read = readInput(name, call, input);
  if ('message' in read) return read;
  const { attributes, body } = read;
  const form = formOf(call.tag, attributes);
  if (form?.body.presence === 'required' && body === undefined)
    return { message: `${name} needs ${call.body}` };
  if (form?.body.presence === 'none' && body !== undefined)
    return { message: `${name} with action="${form.action}" takes no ${call.body}` };
  return operationOf(call.tag, attributes, body);
}

/** The input as a tag has it: attributes, all of them texts, and a body. */
function readInput(
  name: string,
  { tag, body: bodyField }: { tag: TagName; body: string },
  input: unknown,
): { attributes: Fields; body: string | undefined } | OperationProblem {
  const names = attributeNames(tag);
  const known = [...new Set([...names, bodyField])];
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return { message: `the input of ${name} must be an object with ${known.join(', ')}` };
  const attributes: Record<string, string> = Object.create(null);
  let body: string | undefined;
  const given: [string, unknown][] = Object.entries(input);
  for (const [key, value] of given) {
    if (!known.includes(key))
      return { message: `${name} has no attribute ${quoted(key)}${didYouMean(key, known)}` };
    if (value === null || value === undefined) continue;
    const rule = ruleOf(tag, key);
    const text = textOf(rule, value);
    if (text === undefined) return { message: `${key} of ${name} must be ${wanted(key, rule)}` };
    if (names.has(key)) attributes[key] = text;
    else body = text;
  }
  return { attributes, body };
}

/** Rule of the table for the field in the first form that has it; a body is text. */
function ruleOf(tag: TagName, key: string): AttributeRule['values'] {
  const form = operations[tag].forms.find(({ attributes }) => Object.hasOwn(attributes, key));
  return form?.attributes[key]?.values ?? 'text';
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

/** The operation of a tag, or of a call as its tag would be; `body` is undefined where the tag closes itself. */
function operationOf(
  tag: TagName,
  attributes: Fields,
  body: string | undefined,
): Operation | OperationProblem {
  const found = formFor({ tag, attributes }, body, 0);
  if (found.fault) {
    const { message, unknown } = found.fault;
    return { message: message + (unknown ? didYouMean(unknown.name, unknown.known) : '') };
  }
  const { form } = found;
  const { field } = form.body;
  const fields = field === undefined || body === undefined ? attributes : { ...attributes, [field]: body };
  const fault = fieldsFault(tag, form, fields);
  return fault === undefined ? operations[tag].read(fields, form.action) : { message: fault };
}

function fieldsFault(tag: TagName, { action, attributes }: TagForm, fields: Fields): string | undefined {
  for (const [name, { required, values }] of Object.entries(attributes)) {
    const value = fields[name];
    if (value === undefined) {
      if (required !== 'always') continue;
      return `${tag}${action === undefined ? '' : ` with action="${action}"`} needs ${name}`;
    }
    if (values === 'characters' && charactersOf(value) === undefined)
      return `${name} is a whole number of characters from 1, or full-length, not ${quoted(value)}`;
    if (name === 'important' && Array.isArray(values) && !values.includes(value))
      return `${name} is ${oneOf(values)}, not ${quoted(value)}`;
  }
  return undefined;
}
