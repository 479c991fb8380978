// Makes an operation of a tag's fields, whether they came as attributes and body or as a call's input.
import { messageOf } from '../../../lib/message.ts';
import type { EntryFields, Operation } from '../operation.ts';
import type { Attributes } from '../tags/opening.ts';
import type { TagForm, TagName } from '../tags/table.ts';
import { oneOf, quoted } from '../../sandbox/entries.ts';
import { READ_CHARS } from './read.ts';

/**
 * `fields` holds the attributes of the form, and the body under its field. Checked here is what the shape needs;
 * what an entry is held to, `apply` knows.
 */
export function operationOf(
  tag: TagName,
  form: TagForm,
  fields: Attributes,
): Operation | { message: string } {
  const fault = fieldsFault(tag, form, fields);
  if (fault !== undefined) return { message: fault };
  const text = (name: string) => fields[name] ?? '';
  switch (tag) {
    case 'js_execute':
      return { kind: 'js', code: text('code') };
    case 'datavault':
      return vaultOperation(form, fields);
    case 'memory':
    case 'task':
    case 'goal': {
      const identifier = text('identifier');
      if (form.action === 'delete') return { kind: tag, action: 'delete', identifier };
      return { kind: tag, action: 'set', identifier, fields: entryFields(fields) };
    }
    case 'tool':
      return toolCall(text('name'), text('input'));
    case 'ask':
      if (text('question').trim() === '') return { message: 'ask needs a question' };
      return { kind: 'ask', question: text('question') };
    case 'final_output':
      if (text('output').trim() === '') return { message: 'final_output needs a text' };
      return { kind: 'final', text: text('output') };
    case 'vaultref':
      return { message: 'a reference to the vault belongs into code or content' };
  }
}

function fieldsFault(tag: TagName, form: TagForm, fields: Attributes): string | undefined {
  for (const [name, { required, values }] of Object.entries(form.attributes)) {
    const value = fields[name];
    if (value === undefined) {
      // A read without a limit shows the beginning.
      if (required !== 'always' || values === 'characters') continue;
      return `${tag}${form.action === undefined ? '' : ` with action="${form.action}"`} needs ${name}`;
    }
    if (values === 'characters' && charactersOf(value) === undefined)
      return `${name} is a whole number of characters from 1, or full-length, not ${quoted(value)}`;
    if (name === 'important' && Array.isArray(values) && !values.includes(value))
      return `${name} is ${oneOf(values)}, not ${quoted(value)}`;
  }
  return undefined;
}

function charactersOf(value: string): number | 'full-length' | undefined {
  if (value === 'full-length') return value;
  return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined;
}

function vaultOperation({ action }: TagForm, fields: Attributes): Operation {
  const id = fields['id'] ?? '';
  if (action === 'delete') return { kind: 'vault', action, id };
  if (action === 'request_read')
    return { kind: 'vault', action: 'read', id, limit: charactersOf(fields['limit'] ?? '') ?? READ_CHARS };
  const operation: Operation = { kind: 'vault', action: 'set', id };
  for (const name of ['type', 'description', 'content'] as const) {
    const value = fields[name];
    if (value !== undefined) operation[name] = value;
  }
  return operation;
}

function entryFields(fields: Attributes): EntryFields {
  const given: EntryFields = {};
  for (const name of ['heading', 'content', 'notes', 'status'] as const) {
    const value = fields[name];
    if (value !== undefined) given[name] = value;
  }
  if (fields['important'] !== undefined) given.important = fields['important'] === 'true';
  return given;
}

function toolCall(name: string, input: string): Operation | { message: string } {
  try {
    return { kind: 'tool', name, input: input.trim() === '' ? {} : JSON.parse(input) };
  } catch (error) {
    return { message: `the input of the tool ${quoted(name)} must be JSON: ${messageOf(error)}` };
  }
}
