// Every operation that a model may ask for, in one row: the tag that it is written as, the call that does the same,
// what the model is told of it, and what is made of its fields. What does it stands in perform.ts.
import { unfenced } from '../../language/envelope/parts.ts';
import { toolInputs } from '../../language/tool.ts';
import { type EntryRule, entryRules } from '../../sandbox/entries.ts';
import type { Operation } from '../operation.ts';
import { entryOperation, type Fields, toolOperation, vaultOperation } from './fields.ts';

export interface AttributeRule {
  /** `creation`: needed when the entry does not exist yet; a later write may leave it out. */
  required: 'always' | 'creation' | 'never';
  /** `text`: anything. `characters`: a whole number of at least 1, or `full-length`. A list: one of these. */
  values: 'text' | 'characters' | readonly string[];
}

export interface BodyRule {
  /** A tag that closes itself has no body; one that does not has a body, even an empty one. */
  presence: 'required' | 'optional' | 'none';
  /** The operation's field that the body is. An attribute of that name and a body exclude each other. */
  field?: string;
}

/** One thing that a tag can do. */
export interface TagForm {
  /** The value of the attribute `action` that means this form; without one the tag has no such attribute. */
  action?: string;
  attributes: Readonly<Record<string, AttributeRule>>;
  body: BodyRule;
}

interface OperationRow {
  /** The form without an action comes first. In a call its body is the member of its field's name. */
  forms: readonly [TagForm, ...TagForm[]];
  /** The call's name; what it does, unless it is offered where it is possible only. */
  call?: { name: string; does?: string };
  /** Its lines of the guide to the tags. */
  guide: string;
  /** The fields are those of the form, the body among them; what an entry is held to, `apply` knows. */
  read: (fields: Fields, action: string | undefined) => Operation | { message: string };
}

const id: AttributeRule = { required: 'always', values: 'text' };
const content: BodyRule = { presence: 'optional', field: 'content' };
const none: BodyRule = { presence: 'none' };

/** An entry's fields as attributes, without those that only a body can be. */
function fieldsOf({ needed, optional, values }: EntryRule, onlyBody?: string): TagForm['attributes'] {
  const fields: Record<string, AttributeRule> = {};
  for (const name of [...needed, ...optional])
    if (name !== onlyBody)
      fields[name] = {
        required: needed.includes(name) ? 'creation' : 'never',
        values: name === 'important' ? ['true', 'false'] : (values[name] ?? 'text'),
      };
  return fields;
}

const entryForms = (rule: EntryRule): OperationRow['forms'] => [
  { attributes: { identifier: id, ...fieldsOf(rule) }, body: content },
  { action: 'delete', attributes: { identifier: id }, body: none },
];
const AGAIN = 'A second write changes only the fields given; action delete deletes it.';

const rows = {
  js_execute: {
    forms: [{ attributes: {}, body: { presence: 'required', field: 'code' } }],
    call: {
      name: 'js',
      does: `${toolInputs.js.description} The code is the body of an async function: return a value. Objects vault, memory, tasks, goals: get(id), list(), set(id, ...), delete(id).`,
    },
    guide:
      '{{<js_execute>}} return (await work()).length; {{</js_execute>}} runs JavaScript in a sandbox. Objects there: vault, memory, tasks, goals, each with get(id), list(), set(id, ...), delete(id). Only what is stored lasts.',
    // Models fence code out of habit: a fence around the whole of it is none of it.
    read: ({ code = '' }) => ({ kind: 'js', code: unfenced(code) }),
  },
  datavault: {
    forms: [
      { attributes: { id, ...fieldsOf(entryRules.vault, 'content') }, body: content },
      {
        action: 'request_read',
        attributes: { id, limit: { required: 'never', values: 'characters' } },
        body: none,
      },
      { action: 'delete', attributes: { id }, body: none },
    ],
    call: {
      name: 'datavault',
      does: 'Keep a text, code or data (JSON) under an id; {{<vaultref id="..." />}} in code or content stands for it. action request_read shows it, delete deletes it.',
    },
    guide: `{{<datavault id="a" type="text" description="what it is">}} content {{</datavault>}} keeps a text, code or data (JSON).
{{<datavault action="request_read" id="a" limit="2000" />}} shows it (characters, or full-length).`,
    read: vaultOperation,
  },
  vaultref: {
    forms: [{ attributes: { id }, body: none }],
    guide:
      '{{<vaultref id="a" />}} within code or content stands for the entry; last_execution_result is what the last execution returned.',
    read: () => ({ message: 'a reference to the vault belongs into code or content' }),
  },
  memory: {
    forms: entryForms(entryRules.memory),
    call: { name: 'memory', does: `Note something to remember. ${AGAIN}` },
    guide: '{{<memory identifier="m" heading="..." content="..." notes="..." important="true" />}}',
    read: (fields, action) => entryOperation('memory', fields, action),
  },
  task: {
    forms: entryForms(entryRules.tasks),
    call: { name: 'task', does: `Plan a step of your work and keep its status. ${AGAIN}` },
    guide:
      '{{<task identifier="t" heading="..." content="..." status="ongoing" notes="..." />}} (pending, ongoing, finished, paused)',
    read: (fields, action) => entryOperation('task', fields, action),
  },
  goal: {
    forms: entryForms(entryRules.goals),
    call: { name: 'goal', does: `State what is to be reached and keep its status. ${AGAIN}` },
    guide: `{{<goal identifier="g" heading="..." content="..." status="open" notes="..." />}} (open, finished)
A second write of an identifier changes only the fields given; action="delete" deletes.`,
    read: (fields, action) => entryOperation('goal', fields, action),
  },
  tool: {
    // Without a body the input is an empty object.
    forms: [{ attributes: { name: id }, body: { presence: 'optional', field: 'input' } }],
    guide: '{{<tool name="read_file">}} {"path": "a.txt"} {{</tool>}} calls a tool.',
    read: toolOperation,
  },
  ask: {
    forms: [{ attributes: {}, body: { presence: 'required', field: 'question' } }],
    call: { name: 'ask' },
    guide: '{{<ask>}} question {{</ask>}} asks the person, where the task allows it.',
    read: ({ question = '' }) =>
      question.trim() === '' ? { message: 'ask needs a question' } : { kind: 'ask', question },
  },
  final_output: {
    forms: [{ attributes: {}, body: { presence: 'required', field: 'text' } }],
    call: { name: 'final_output', does: 'Give the final output; it ends the session.' },
    guide: '{{<final_output>}} result {{</final_output>}} ends the session.',
    read: ({ text = '' }) =>
      text.trim() === '' ? { message: 'final_output needs a text' } : { kind: 'final', text },
  },
} as const satisfies Record<string, OperationRow>;

export type TagName = keyof typeof rows;

/** The operations by their tags, in the order in which the model is told of them. */
export const operations: Readonly<Record<TagName, OperationRow>> = rows;

const isTag = (name: string): name is TagName => Object.hasOwn(rows, name);
export const tagNames: readonly TagName[] = Object.keys(rows).filter(isTag);

/** The calls by their names: the tag that means the same, and the member that its body is. */
export const callForms: ReadonlyMap<string, { tag: TagName; body: string }> = new Map(
  tagNames.flatMap(tag => {
    const { call, forms } = operations[tag];
    const body = forms[0].body.field;
    return call && body !== undefined ? [[call.name, { tag, body }] as const] : [];
  }),
);
