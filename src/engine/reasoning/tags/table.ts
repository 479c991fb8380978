// Every tag that a model may write, with its attributes and its body: what the scanner accepts, what validation
// holds an operation against, and what the prompts and the docs list.
import { nearest } from '../../../lib/nearest.ts';

export const tagNames = [
  'js_execute',
  'datavault',
  'vaultref',
  'memory',
  'task',
  'goal',
  'tool',
  'ask',
  'final_output',
] as const;
export type TagName = (typeof tagNames)[number];

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

const id: AttributeRule = { required: 'always', values: 'text' };
const needed: AttributeRule = { required: 'creation', values: 'text' };
const free: AttributeRule = { required: 'never', values: 'text' };
const content: BodyRule = { presence: 'optional', field: 'content' };

const remove = (key: string): TagForm => ({
  action: 'delete',
  attributes: { [key]: id },
  body: { presence: 'none' },
});

const status = (...values: string[]): AttributeRule => ({ required: 'never', values });

/** The forms of each tag; the one without an action comes first. */
export const tagForms: Readonly<Record<TagName, readonly [TagForm, ...TagForm[]]>> = {
  js_execute: [{ attributes: {}, body: { presence: 'required', field: 'code' } }],
  datavault: [
    {
      attributes: {
        id,
        type: { required: 'creation', values: ['text', 'code', 'data'] },
        description: needed,
      },
      body: content,
    },
    {
      action: 'request_read',
      attributes: { id, limit: { required: 'never', values: 'characters' } },
      body: { presence: 'none' },
    },
    remove('id'),
  ],
  vaultref: [{ attributes: { id }, body: { presence: 'none' } }],
  memory: [
    {
      attributes: {
        identifier: id,
        heading: needed,
        content: needed,
        notes: free,
        important: { required: 'never', values: ['true', 'false'] },
      },
      body: content,
    },
    remove('identifier'),
  ],
  task: [
    {
      attributes: {
        identifier: id,
        heading: needed,
        content: needed,
        status: status('pending', 'ongoing', 'finished', 'paused'),
        notes: free,
      },
      body: content,
    },
    remove('identifier'),
  ],
  goal: [
    {
      attributes: {
        identifier: id,
        heading: needed,
        content: needed,
        status: status('open', 'finished'),
        notes: free,
      },
      body: content,
    },
    remove('identifier'),
  ],
  /** Without a body the input is an empty object. */
  tool: [{ attributes: { name: id }, body: { presence: 'optional', field: 'input' } }],
  ask: [{ attributes: {}, body: { presence: 'required', field: 'question' } }],
  final_output: [{ attributes: {}, body: { presence: 'required', field: 'output' } }],
};

const tags: ReadonlyMap<string, TagName> = new Map(tagNames.map(tag => [tag, tag]));

/** The tag of that name. A lookup in a Map does not intern the part of a text that it is given, unlike an object's. */
export function tagNamed(name: string): TagName | undefined {
  return tags.get(name);
}

/** What a reply may do: a `vaultref` does nothing by itself. */
export const operationTags = tagNames.filter(each => each !== 'vaultref');
const words: ReadonlySet<string> = new Set(operationTags.flatMap(each => each.split('_')));
/** A longer name is near to none: its beginning would have to be more than half of it. */
const LONGEST = 2 * Math.max(...operationTags.map(each => each.length));

/** Near to a known one, or a word of one (`js`, `output`). Anything else, such as `figure`, is another language's. */
export function isNearTag(name: string): boolean {
  return name.length <= LONGEST && (words.has(name) || nearest(name, operationTags).length > 0);
}

/** The form that the attribute `action` names, or the one without; undefined when there is none of that action. */
export function formOf(tag: TagName, { action }: Readonly<Record<string, string>>): TagForm | undefined {
  return tagForms[tag].find(form => form.action === action);
}

/** The names of all attributes that some form of the tag has. */
export function attributeNames(tag: TagName): ReadonlySet<string> {
  return namesByForms.get(tagForms[tag]) ?? new Set();
}

const namesByForms = new Map(Object.values(tagForms).map(forms => [forms, new Set(forms.flatMap(namesOf))]));

function namesOf({ attributes, action }: TagForm): string[] {
  return [...Object.keys(attributes), ...(action === undefined ? [] : ['action'])];
}
