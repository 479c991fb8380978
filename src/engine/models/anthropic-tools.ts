// Abstract tools in Anthropic's native ones, and the calls of both in the words of the other.
import type Anthropic from '@anthropic-ai/sdk';
import type { ModelRow } from './table.ts';
import { shellRuns, type ToolSpec } from '../language/tool.ts';

type Definition = Anthropic.Tool | Anthropic.ToolTextEditor20250728 | Anthropic.ToolBash20250124;
type Fields = Record<string, unknown>;

export interface Call {
  name: string;
  input: unknown;
}

/** The tools of one request, as the API is told of them. */
export interface AnthropicTools {
  definitions: Definition[];
  /** Instructions for the model about the native tools; empty without them. */
  notes: string;
  /** The call of a definition that stands for an abstract one: for the calls of the conversation so far. */
  toNative(call: Call): { name: string; input: Fields };
  /** The abstract call that a call by the model stands for. Never throws: what fits nothing is left to the executor. */
  toAbstract(call: Call): Call;
}

/** https://platform.claude.com/docs/en/agents-and-tools/tool-use/text-editor-tool */
const editor = { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' } as const;
/** https://platform.claude.com/docs/en/agents-and-tools/tool-use/bash-tool */
const bash = { type: 'bash_20250124', name: 'bash' } as const;

/** The editor can do all of this, so it is offered only where all of it is allowed. */
const editorTwins = ['read_file', 'write_file', 'edit_file'];

const editorNote = `Paths are relative to the root of the checkout (src/app.ts); one that ends with / is a folder.`;
const bashNote = `A bash command: ${shellRuns} timeout_s is a field beside command.`;

/**
 * The text editor in place of read_file, write_file and edit_file where all three are there, bash in place of shell; what
 * they do as well (to list a folder, to delete a file) is not offered twice. Any other tool is a function tool. Servers that speak this API for models other than Claude do not know the native
 * tools, and get function tools only.
 */
export function anthropicTools(
  { tools: kind }: Pick<ModelRow, 'tools'>,
  tools: readonly ToolSpec[],
): AnthropicTools {
  const names = new Set(tools.map(tool => tool.name));
  const native = kind === 'native';
  const edits = native && editorTwins.every(name => names.has(name)) && !names.has(editor.name);
  const shells = native && names.has('shell') && !names.has(bash.name);
  const twin = (name: string) =>
    edits && editorTwins.includes(name) ? editor : shells && name === 'shell' ? bash : undefined;
  const doubled = (name: string) => (name === 'list_files' && edits) || (name === 'delete_file' && shells);
  return {
    // A set, since three tools have the editor as their twin: it takes the place of the first.
    definitions: [
      ...new Set(
        tools.filter(({ name }) => !doubled(name)).map(tool => twin(tool.name) ?? functionTool(tool)),
      ),
    ],
    notes: [...(edits ? [editorNote] : []), ...(shells ? [bashNote] : [])].join('\n'),
    toNative({ name, input }) {
      const native = twin(name);
      // The API takes objects only. What is none was refused by its tool, and is shown as what it was.
      if (!isFields(input)) return { name: native?.name ?? name, input: { input } };
      if (native === editor) return { name: editor.name, input: toEditor(name, input) };
      if (native === bash) return { name: bash.name, input };
      if (name === 'list_files' && edits && !('pattern' in input))
        return { name: editor.name, input: { command: 'view', path: '.', ...input } };
      return { name, input };
    },
    toAbstract(call) {
      if (edits && call.name === editor.name) return fromEditor(call.input, names.has('list_files'));
      if (shells && call.name === bash.name) return { name: 'shell', input: call.input };
      return call;
    },
  };
}

function functionTool({ name, description, input }: ToolSpec): Anthropic.Tool {
  return { name, description, input_schema: { ...input, type: 'object' } };
}

/**
 * A call without an equivalent becomes an edit_file with the input as it came, `command` included: the strict schema of edit_file
 * refuses it, and says which fields it wants instead.
 */
function fromEditor(input: unknown, canList: boolean): Call {
  if (!isFields(input)) return { name: 'edit_file', input };
  const { command, ...rest } = input;
  const path = typeof rest['path'] === 'string' ? rest['path'].replace(/^(\.?\/)+/, '') || '.' : undefined;
  const fields = path === undefined ? rest : { ...rest, path };
  switch (command) {
    case 'view': {
      const isFolder = path === '.' || path?.endsWith('/');
      if (canList && isFolder && !('view_range' in fields)) return { name: 'list_files', input: fields };
      return { name: 'read_file', input: fromRange(fields) };
    }
    case 'create':
      return { name: 'write_file', input: renamed(fields, { file_text: 'content' }) };
    case 'str_replace': {
      if ('insert_line' in fields) return { name: 'edit_file', input };
      // Without new_str the text is deleted.
      const whole = 'new_text' in fields ? fields : { new_str: '', ...fields };
      return { name: 'edit_file', input: renamed(whole, { old_str: 'old_text', new_str: 'new_text' }) };
    }
    case 'insert':
      // With a text to replace, or without a line, it would come out as a str_replace.
      if ('old_text' in fields || !('insert_line' in fields)) return { name: 'edit_file', input };
      return { name: 'edit_file', input: renamed(fields, { insert_text: 'new_text' }) };
    default:
      return { name: 'edit_file', input };
  }
}

/** The other way round. A `command` in the input is one that had no twin (see fromEditor) and goes back as it came. */
function toEditor(name: string, input: Fields): Fields {
  if ('command' in input) return input;
  switch (name) {
    case 'read_file':
      return { command: 'view', ...toRange(input) };
    case 'write_file':
      return { command: 'create', ...renamed(input, { content: 'file_text' }) };
    default:
      if ('insert_line' in input && !('old_text' in input))
        return { command: 'insert', ...renamed(input, { new_text: 'insert_text' }) };
      return { command: 'str_replace', ...renamed(input, { old_text: 'old_str', new_text: 'new_str' }) };
  }
}

/** `view_range` is the first and the last line, from 1; -1 is the end of the file. What is no such pair stays. */
function fromRange(input: Fields): Fields {
  const { view_range, ...rest } = input;
  const [first, last, ...more] = Array.isArray(view_range) ? view_range : [];
  const isPair = typeof first === 'number' && typeof last === 'number' && more.length === 0;
  if (!isPair || 'offset' in rest || 'limit' in rest) return input;
  return last === -1 ? { ...rest, offset: first } : { ...rest, offset: first, limit: last - first + 1 };
}

function toRange(input: Fields): Fields {
  const { offset = 1, limit, ...rest } = input;
  if (!('offset' in input || 'limit' in input) || 'view_range' in rest || typeof offset !== 'number')
    return input;
  if (limit === undefined) return { ...rest, view_range: [offset, -1] };
  return typeof limit === 'number' ? { ...rest, view_range: [offset, offset + limit - 1] } : input;
}

/** A field whose new name is taken keeps the old one, so that neither is lost. */
function renamed(fields: Fields, names: Record<string, string>): Fields {
  const entries = Object.entries(fields).map(([key, value]) => {
    const name = Object.hasOwn(names, key) ? names[key] : undefined;
    return [name === undefined || Object.hasOwn(fields, name) ? key : name, value];
  });
  return Object.fromEntries(entries);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
