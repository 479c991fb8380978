// Which form of its tag a block has, and whether its attributes and body go with it.
import { type Attributes, bitsOf } from './attributes.ts';
import type { Fault } from './fault.ts';
import { type TagForm, type TagName, tagForms, tagNames } from './table.ts';

/** The form that the attribute `action` names, or the one without; undefined when there is none of that action. */
export function formOf(tag: TagName, attributes: Attributes): TagForm | undefined {
  const forms = tagForms[tag];
  const { action } = attributes;
  if (action === undefined && forms[0].action === undefined) return forms[0];
  return forms.find(form => form.action === action);
}

/**
 * Whether a tag whose attributes have the bits `seen` certainly has its form without an action. Most tags do, and
 * this tells it in a small part of the time that `formFault` takes.
 */
export function isPlain(tag: TagName, seen: number, hasBody: boolean): boolean {
  const { withBody, alone } = strangers.get(tag)!;
  const bits = hasBody ? withBody : alone;
  return bits !== undefined && (seen & bits) === 0;
}

/** Why a block (its body undefined when it closes itself) has none of its tag's forms; `offset` is its start. */
export function formFault(
  { tag, attributes }: { tag: TagName; attributes: Attributes },
  body: string | undefined,
  offset: number,
): Fault | undefined {
  const form = formOf(tag, attributes);
  if (!form) {
    const known = tagForms[tag].flatMap(each => each.action ?? []);
    const name = attributes['action'] ?? '';
    const message = `${tag} has no action ${JSON.stringify(name.slice(0, 64))} (its actions: ${known.join(', ')})`;
    return { offset, message, unknown: { name, known } };
  }
  for (const name of otherNames.get(form)!)
    if (attributes[name] !== undefined)
      return { offset, message: `${called(tag, form)} takes no attribute ${name}` };
  const { presence, field } = form.body;
  if (body === undefined) {
    if (presence !== 'required') return undefined;
    return { offset, message: `${called(tag, form)} needs a body: {{<${tag} ...>}} body {{</${tag}>}}` };
  }
  if (presence === 'none' && /\S/.test(body))
    return { offset, message: `${called(tag, form)} takes no body: end the tag with "/>}}"` };
  if (field !== undefined && attributes[field] !== undefined)
    return { offset, message: `${tag} has its ${field} twice: as an attribute and as its body` };
  return undefined;
}

/** The attributes that other forms of a form's tag have: few, unlike those that it has itself. */
const otherNames: ReadonlyMap<TagForm, readonly string[]> = new Map(
  Object.values(tagForms).flatMap(forms =>
    forms.map((form): [TagForm, string[]] => [
      form,
      [...new Set(forms.flatMap(each => Object.keys(each.attributes)))].filter(
        name => !Object.hasOwn(form.attributes, name),
      ),
    ]),
  ),
);

/** The bits of what the form without an action may not have; undefined where that is not all that there is to say. */
const strangers: ReadonlyMap<TagName, { withBody: number | undefined; alone: number | undefined }> = new Map(
  tagNames.map(tag => {
    const [form] = tagForms[tag];
    const { presence, field } = form.body;
    const others = bitsOf(tag, ['action', ...otherNames.get(form)!]);
    return [
      tag,
      {
        withBody: presence === 'none' ? undefined : others | bitsOf(tag, field === undefined ? [] : [field]),
        alone: presence === 'required' ? undefined : others,
      },
    ];
  }),
);

function called(tag: TagName, { action }: TagForm): string {
  return action === undefined ? tag : `${tag} with action="${action}"`;
}
