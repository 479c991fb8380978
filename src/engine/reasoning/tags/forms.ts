// Names of tags and attributes, and the tag forms that a block can have.
import { nearest } from '@echelon/ground';
import { operations, type TagForm, type TagName, tagNames } from '../operations/table.ts';

const tags: ReadonlyMap<string, TagName> = new Map(tagNames.map(tag => [tag, tag]));

/** The tag of that name. A lookup in a Map does not intern the part of a text that it is given, unlike an object's. */
export function tagNamed(name: string): TagName | undefined {
  return tags.get(name);
}

/** Tags that carry out an operation. A `vaultref` does nothing by itself. */
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
  return operations[tag].forms.find(form => form.action === action);
}

/** The names of all attributes that some form of the tag has. */
export function attributeNames(tag: TagName): ReadonlySet<string> {
  return attributes.get(tag) ?? new Set();
}

const attributes = new Map(tagNames.map(tag => [tag, new Set(operations[tag].forms.flatMap(namesOf))]));

function namesOf({ attributes: rules, action }: TagForm): string[] {
  return [...Object.keys(rules), ...(action === undefined ? [] : ['action'])];
}
