// Every tag that a model may write, with its attributes and its body: what the scanner accepts, what validation
// holds an operation against, and what the prompts and the docs list.

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

/** The names of all attributes that some form of the tag has, each under itself. */
export function attributeNames(tag: TagName): ReadonlyMap<string, string> {
  return attributes.get(tag)!;
}

const attributes: ReadonlyMap<TagName, ReadonlyMap<string, string>> = new Map(
  tagNames.map(tag => [tag, new Map(tagForms[tag].flatMap(namesOf).map(name => [name, name]))]),
);

function namesOf(form: TagForm): string[] {
  return [...Object.keys(form.attributes), ...(form.action === undefined ? [] : ['action'])];
}
