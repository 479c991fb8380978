// `--mcp file`: the MCP servers whose tools programs may name, as other programs keep them: `{"mcpServers": {...}}`.
import { isObject, type Json, messageOf } from '@echelon/ground';
import type { FurtherTools } from '../../../engine/language/tool.ts';
import { type McpServers, readServers } from '../../../engine/runtime/mcp/servers.ts';
import { readNamed } from '../../../engine/runtime/named-file.ts';
import { type OptionSpec, type Parsed, textOf } from '../options.ts';

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

/** Names that programs may use of servers not yet asked for their tools. */
export const toolsOfServers = (servers: McpServers): FurtherTools => ({
  names: [],
  servers: Object.keys(servers),
});
