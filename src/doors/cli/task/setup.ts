// Options shared by `task run`, `do`, `repl` and `compile`: model, budget, and the folder's configuration.
import { resolve } from 'node:path';
import { isObject, type Json, type Mask, masker, messageOf } from '@echelon/ground';
import { formatProblem, readNamed } from '../../../engine/texts.ts';
import { type McpServers, readServers, secretsOfServers, traceFile } from '../../../engine/engine.ts';
import { newFile, recordOption, traceOption, type OptionSpec, type Parsed, textOf } from '../options.ts';
import { secretsOf } from '../../../engine/models/provider-keys.ts';
import type { Settings } from '../../settings.ts';
import { readFolder, type TaskSetup } from '../../task-setup.ts';
import { chooseModel, defaultBudget } from '../../../engine/models.ts';

export const modelOptions = {
  script: { type: 'string', value: 'file', help: 'replies to play instead of calling a model' },
  model: {
    type: 'string',
    value: 'name',
    help: 'for tasks that name no model: a model, a tier, or a configured name',
  },
  record: recordOption,
  trace: traceOption,
  budget: { type: 'string', value: 'USD', help: `limit of the costs (default ${defaultBudget})` },
} as const satisfies Record<string, OptionSpec>;

/** Of `task run` and `task repl`. */
export const folderOptions = {
  folder: {
    type: 'string',
    value: 'folder',
    help: 'folder of the file tools (default: here); if given, tasks without inherited context get files of its index',
  },
  'allow-scripts': {
    type: 'boolean',
    help: 'permits changing files and running commands in the folder',
  },
} as const satisfies Record<string, OptionSpec>;

export const inputOption = { type: 'string', value: 'name=text', many: true } as const;

export interface Setup extends TaskSetup {
  servers: McpServers;
  /** Takes the model's key, and what the servers are given, out of a text. */
  mask: Mask;
}

/**
 * Reads the call. With problems there is no `setup`, though a library to check programs with. `folder` holds
 * configuration and templates; undefined: the one that was named does not exist, and nothing is read.
 */
export function setUp(given: Parsed, settings: Settings, folder: string | undefined) {
  const problems: string[] = [];
  const script = textOf(given, 'script');
  const model = textOf(given, 'model');
  const choice = chooseModel(
    script === undefined ? undefined : { file: script, path: resolve(script) },
    settings.providers,
    '--script <file>',
  );
  if (script !== undefined && model !== undefined) problems.push('--script goes without --model');
  if ('problem' in choice)
    problems.push(script === undefined ? choice.problem : `--script ${choice.problem}`);
  const record = newFile('--record', textOf(given, 'record'), problems);
  const trace = newFile('--trace', textOf(given, 'trace'), problems);
  const budget = Number(textOf(given, 'budget') ?? defaultBudget);
  if (!(Number.isFinite(budget) && budget > 0))
    problems.push(`--budget ${textOf(given, 'budget')}: not an amount of USD above 0`);
  const servers = serversOf(given, problems);
  // They are not yet asked for their tools.
  const further = { names: [], servers: Object.keys(servers) };
  const { around, problems: wrong } = readFolder(folder, model, further);
  problems.push(...wrong.map(({ message, at }) => (at ? formatProblem(at) : message)));
  if (problems.length > 0 || !around || 'problem' in choice)
    return { setup: undefined, library: around?.library, problems };
  const mask = masker([...secretsOf(settings.providers), ...secretsOfServers(servers)]);
  const traced = trace === undefined ? {} : { trace: traceFile(trace, mask) };
  const setup = { choice: { ...choice, record, ...traced }, budget, ...around, servers, mask };
  return { setup, library: around.library, problems };
}

// `--mcp file`: the MCP servers whose tools programs may name, as other programs keep them: `{"mcpServers": {...}}`.

export const mcpOption = {
  type: 'string',
  value: 'file',
  help: 'MCP servers over stdio, whose tools are server__tool: {"mcpServers": {"name": {"command": ...}}}',
} as const satisfies OptionSpec;

/** None where it was not asked for, or cannot be read, which `problems` says then. */
export function serversOf(given: Parsed, problems: string[]): McpServers {
  const file = textOf(given, 'mcp');
  if (file === undefined) return {};
  const read = readNamed(file);
  if ('problem' in read) problems.push(`--mcp ${file}: ${read.problem}`);
  else
    try {
      return readServers(serversIn(JSON.parse(read.text)));
    } catch (error) {
      problems.push(
        ...messageOf(error)
          .split('\n')
          .map(line => `--mcp ${file}: ${line}`),
      );
    }
  return {};
}

function serversIn(given: Json): Json {
  const servers = isObject(given) ? given['mcpServers'] : undefined;
  if (servers === undefined) throw new Error('no object with the key mcpServers');
  return servers;
}
