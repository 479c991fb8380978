// How the model is told of its operations: as tools to call, and as tags to write.
import { toolInputs, type ToolSpec } from '../../language/tool.ts';
import { type AttributeRule, tagForms } from '../tags/table.ts';
import { callForms } from './calls.ts';

/** What each does; `ask` is offered apart, where there is somebody to ask. */
const descriptions = {
  js: `${toolInputs.js.description} The code is the body of an async function: return a value. Objects vault, memory, tasks, goals: get(id), list(), set(id, ...), delete(id).`,
  datavault:
    'Keep a text, code or data (JSON) under an id; {{<vaultref id="..." />}} in code or content stands for it. action request_read shows it, delete deletes it.',
  memory:
    'Note something to remember. A second write changes only the fields given; action delete deletes it.',
  task: 'Plan a step of your work and keep its status. A second write changes only the fields given; action delete deletes it.',
  goal: 'State what is to be reached and keep its status. A second write changes only the fields given; action delete deletes it.',
  final_output: 'Give the final output; it ends the session.',
} as const;

const fieldDescriptions: Readonly<Record<string, string>> = {
  id: '1 to 200 letters, digits or _ . : / -',
  identifier: '1 to 200 letters, digits or _ . : / -',
  description: 'at most 500 characters',
  content: 'of data: its JSON as a text',
  limit: 'of request_read: characters, or full-length',
  important: 'kept when the session is shortened',
};

/** The operations as tools: their inputs come from the table of the tags. */
export function operationTools(): readonly ToolSpec[] {
  tools ??= Object.entries(descriptions).map(([name, description]) => ({
    name,
    description,
    input: inputSchema(name),
  }));
  return tools;
}

/** The same for every call of every session. */
let tools: readonly ToolSpec[] | undefined;

/** JSON Schema of one object for all forms of the operation; what each form needs, reading the call checks. */
function inputSchema(name: string): Record<string, unknown> {
  const { tag, body } = callForms.get(name)!;
  const forms = tagForms[tag];
  const properties: Record<string, unknown> = {};
  const actions = forms.flatMap(form => form.action ?? []);
  if (actions.length > 0)
    properties['action'] = { type: 'string', enum: actions, description: 'left out: write' };
  for (const form of forms)
    for (const [field, rule] of Object.entries(form.attributes)) properties[field] = schemaOf(field, rule);
  properties[body] ??= described(tag === 'datavault' ? body : '', { type: 'string' });
  const always = Object.keys(properties).filter(field =>
    forms.every(
      form =>
        form.attributes[field]?.required === 'always' ||
        (field === body && form.body.presence === 'required'),
    ),
  );
  return { type: 'object', properties, required: always, additionalProperties: false };
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

/** How the tags are written, for the system text of a session that runs JavaScript. At most 1,536 characters. */
export function operationsGuide(): string {
  return GUIDE;
}

const GUIDE = `# Operations
Besides calling tools you can write tags in your reply. They are carried out in order, and you are told what each came to. In inline or fenced code, and behind > at the beginning of a line, a tag is only text: quote tags of others so. Values stand in quotes, without escapes.

{{<js_execute>}} return (await work()).length; {{</js_execute>}} runs JavaScript in a sandbox. Objects there: vault, memory, tasks, goals, each with get(id), list(), set(id, ...), delete(id). Only what is stored lasts.
{{<datavault id="a" type="text" description="what it is">}} content {{</datavault>}} keeps a text, code or data (JSON).
{{<datavault action="request_read" id="a" limit="2000" />}} shows it (characters, or full-length).
{{<vaultref id="a" />}} within code or content stands for the entry; last_execution_result is what the last execution returned.
{{<memory identifier="m" heading="..." content="..." notes="..." important="true" />}}
{{<task identifier="t" heading="..." content="..." status="ongoing" notes="..." />}} (pending, ongoing, finished, paused)
{{<goal identifier="g" heading="..." content="..." status="open" notes="..." />}} (open, finished)
A second write of an identifier changes only the fields given; action="delete" deletes.
{{<tool name="read_file">}} {"path": "a.txt"} {{</tool>}} calls a tool.
{{<ask>}} question {{</ask>}} asks the person, where the task allows it.
{{<final_output>}} result {{</final_output>}} ends the session.`;
