// The `on` of a workflow file: which events start it, and what a dispatch or a call hands over.
import { readGlob, type Json } from '@echelon/ground';
import { type Field, fieldsOf, itemsOf, jsonOf, type Reading, textOf, type Written } from './written.ts';

export interface EventSpec {
  name: string;
  /** Undefined where the file says none: GitHub's choice for the event. */
  types: string[] | undefined;
  /** Patterns of branches, for `push` and pull requests' bases. */
  branches: string[] | undefined;
}

export interface InputSpec {
  type: 'string' | 'number' | 'boolean' | 'choice';
  required: boolean;
  /** Of a call, a template. */
  default: Json | undefined;
  options: string[];
}

interface CallSpec {
  inputs: Map<string, InputSpec>;
  /** Name -> whether it is required. */
  secrets: Map<string, boolean>;
  /** Templates. */
  outputs: Map<string, string>;
}

export interface Triggers {
  events: EventSpec[];
  dispatch: Map<string, InputSpec> | undefined;
  call: CallSpec | undefined;
}

/** Keys that each supported event may have. */
const events: Readonly<Record<string, readonly string[]>> = {
  issues: ['types'],
  issue_comment: ['types'],
  pull_request: ['types', 'branches'],
  pull_request_review: ['types'],
  push: ['branches'],
  workflow_dispatch: ['inputs'],
  workflow_call: ['inputs', 'secrets', 'outputs'],
};

export function readTriggers(reading: Reading, written: Written | undefined): Triggers {
  const triggers: Triggers = { events: [], dispatch: undefined, call: undefined };
  for (const { name, at, value } of written ? namedEvents(written) : []) {
    const keys = events[name];
    if (!keys) {
      reading.refuse(at, `the event "${name}" is not supported by the forge's runner`);
      continue;
    }
    const fields = value ? reading.fields(value, `"on.${name}"`, keys) : {};
    if (name === 'workflow_dispatch') triggers.dispatch = readInputs(reading, fields['inputs']);
    else if (name === 'workflow_call') triggers.call = readCall(reading, fields);
    else
      triggers.events.push({
        name,
        types: texts(fields['types']),
        branches: readBranches(reading, fields['branches']),
      });
  }
  return triggers;
}

/** Patterns of names with `*`, `**` and `!` in front. */
function readBranches(reading: Reading, field: Field | undefined): string[] | undefined {
  for (const item of field ? itemsOf(field.value) : []) {
    const pattern = textOf(item).replace(/^!/, '');
    if (/[?+[\]{}\\]/.test(pattern) || !readGlob(pattern))
      reading.refuse(
        item.at,
        `the pattern "${pattern}" is not supported by the forge's runner: * and ** are`,
      );
  }
  return texts(field);
}

/** One event by name, a list of names, or a mapping. */
function namedEvents(written: Written) {
  const fields = [...fieldsOf(written)];
  return fields.length > 0
    ? fields.map(([name, { at, value }]) => ({ name, at, value }))
    : itemsOf(written).map(item => ({ name: textOf(item), at: item.at, value: undefined }));
}

const texts = (field: Field | undefined) => field && itemsOf(field.value).map(textOf);

function readCall(reading: Reading, fields: Partial<Record<string, Field>>): CallSpec {
  const outputs = new Map<string, string>();
  for (const [name, { value }] of entries(fields['outputs'])) {
    const output = reading.fields(value, 'an output of a call', ['description', 'value']);
    outputs.set(name, output['value'] ? textOf(output['value'].value) : '');
  }
  const secrets = new Map<string, boolean>();
  for (const [name, { value }] of entries(fields['secrets'])) {
    const secret = reading.fields(value, 'a secret of a call', ['description', 'required']);
    secrets.set(name, secret['required']?.value.value === true);
  }
  return { inputs: readInputs(reading, fields['inputs']), secrets, outputs };
}

const inputKeys = ['description', 'deprecationMessage', 'required', 'default', 'type', 'options'];

function readInputs(reading: Reading, field: Field | undefined): Map<string, InputSpec> {
  const inputs = new Map<string, InputSpec>();
  for (const [name, { at, value }] of entries(field)) {
    const keys = reading.fields(value, 'an input', inputKeys);
    const type = keys['type'] ? textOf(keys['type'].value) : 'string';
    if (type !== 'string' && type !== 'number' && type !== 'boolean' && type !== 'choice') {
      reading.refuse(
        keys['type']?.at ?? at,
        `an input of type "${type}" is not supported by the forge's runner`,
      );
      continue;
    }
    inputs.set(name, {
      type,
      required: keys['required']?.value.value === true,
      default: keys['default'] && jsonOf(keys['default'].value),
      options: texts(keys['options']) ?? [],
    });
  }
  return inputs;
}

const entries = (field: Field | undefined) => (field ? [...fieldsOf(field.value)] : []);
