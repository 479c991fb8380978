// Describes the operations to the model: as tools to call, and as tags to write.
import type { ToolSpec } from '../../language/tool.ts';
import { type AttributeRule, operations as table, type TagForm, tagNames } from './table.ts';

const fieldDescriptions: Readonly<Record<string, string>> = {
  id: '1 to 200 letters, digits or _ . : / -',
  identifier: '1 to 200 letters, digits or _ . : / -',
  description: 'at most 500 characters',
  content: 'of data: its JSON as a text',
  limit: 'of request_read: characters, or full-length',
  important: 'kept when the session is shortened',
};

/** JSON Schema of one object for all forms of the operation; what each form needs, reading the call checks. */
function inputSchema(forms: readonly [TagForm, ...TagForm[]]): Record<string, unknown> {
  const properties: Record<string, unknown> = {};
  const actions = forms.flatMap(form => form.action ?? []);
  if (actions.length > 0)
    properties['action'] = { type: 'string', enum: actions, description: 'left out: write' };
  for (const form of forms)
    for (const [field, rule] of Object.entries(form.attributes)) properties[field] = schemaOf(field, rule);
  const { field: body, presence } = forms[0].body;
  if (body !== undefined) properties[body] ??= described(body, { type: 'string' });
  const required = Object.keys(properties).filter(
    field =>
      (field === body && presence === 'required') ||
      forms.every(form => form.attributes[field]?.required === 'always'),
  );
  return { type: 'object', properties, required, additionalProperties: false };
}

function schemaOf(field: string, { values }: AttributeRule): Record<string, unknown> {
  if (values === 'text') return described(field, { type: 'string' });
  if (values === 'characters')
    return described(field, {
      anyOf: [
        { type: 'integer', minimum: 1 },
        { type: 'string', enum: ['full-length'] },
      ],
    });
  if (values.includes('true')) return described(field, { type: 'boolean' });
  return described(field, { type: 'string', enum: values });
}

function described(field: string, schema: Record<string, unknown>): Record<string, unknown> {
  const description = fieldDescriptions[field];
  return description === undefined ? schema : { ...schema, description };
}

/** Further abilities of JavaScript, described if the session has a read-only tool. */
const inCode =
  'There `await tools.name(input)` calls a tool that only reads and gives its text: what you would search, count or keep need not pass by you.';

/** The operations as tools; `ask` is offered apart, where there is somebody to ask. */
const operationTools: readonly ToolSpec[] = tagNames.flatMap(tag => {
  const { call, forms } = table[tag];
  return call?.does === undefined
    ? []
    : [{ name: call.name, description: call.does, input: inputSchema(forms) }];
});

const jsCall = table.js_execute.call?.name;

/** `readsInCode`: JavaScript may call tools of the session. */
export const toolsOfOperations = (readsInCode: boolean): readonly ToolSpec[] =>
  readsInCode
    ? operationTools.map(tool =>
        tool.name === jsCall ? { ...tool, description: `${tool.description} ${inCode}` } : tool,
      )
    : operationTools;

/**
 * System text for a model that cannot call tools: the tag syntax, and the tools that tags can name. `operations`: the
 * session has those of the vault, the memory and JavaScript; they take at most 1,536 characters. `readsInCode`:
 * JavaScript may call tools of the session.
 */
export function tagsGuide(tools: readonly ToolSpec[], operations: boolean, readsInCode: boolean): string {
  const known = operations ? tagNames : tagNames.filter(tag => tag === 'tool' || tag === 'final_output');
  const listed = tools.map(
    ({ name, description, input }) => `- ${name}: ${description} Its JSON: ${JSON.stringify(input)}`,
  );
  return [
    `# Operations
You ask for things by tags in your reply. They are carried out in order, and you are told what each came to. In inline or fenced code, and behind > at the beginning of a line, a tag is only text: quote tags of others so. Values stand in quotes, without escapes.`,
    known
      .map(tag => (readsInCode && tag === 'js_execute' ? `${table[tag].guide} ${inCode}` : table[tag].guide))
      .join('\n'),
    ...(listed.length > 0 ? [`Tools that a tag can call:\n${listed.join('\n')}`] : []),
  ].join('\n\n');
}
