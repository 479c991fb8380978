// MCP servers over stdio as a source of tools: whom the operator names, and nobody else.
import { z } from 'zod';
import { messageOf, shortened } from '@echelon/ground';
import type { ToolSource } from '../runtime.ts';
import { type McpHost, type McpServer, openServer } from './server.ts';

/** Letters and digits, with single `_` and `-` between them: two of them part a server's name from a tool's. */
const serverName = z
  .string()
  .max(32)
  .regex(/^[a-z0-9]+(?:[_-][a-z0-9]+)*$/i, 'a name has letters and digits, with single _ and - between them');

const Server = z.strictObject({
  type: z.literal('stdio').optional(),
  command: z.string().min(1),
  args: z.array(z.string()).exactOptional(),
  env: z.record(z.string().regex(/^[A-Za-z_]\w*$/, 'no name of a variable'), z.string()).exactOptional(),
  cwd: z.string().min(1).exactOptional(),
});

const Servers = z.record(serverName, Server);

/** By their names. */
export type McpServers = Readonly<Record<string, McpServer>>;

/** Throws an Error with a line for each thing that is wrong. */
export function readServers(given: unknown): McpServers {
  const read = Servers.safeParse(given);
  if (read.success) return read.data;
  const lines = read.error.issues.map(issue => {
    const { message } = (issue.code === 'invalid_key' && issue.issues[0]) || issue;
    return `${issue.path.join('.') || 'servers'}: ${message}`;
  });
  throw new Error(lines.map(line => shortened(line, 200)).join('\n'));
}

/** Values that their processes are given: what they answer is not to show them. */
export const secretsOfServers = (servers: McpServers): string[] =>
  Object.values(servers).flatMap(({ env = {} }) => Object.values(env));

/** Nothing is started before `tools` is asked for. Each fails on its own, and all that failed are told together. */
export function openServers(servers: McpServers, host: McpHost): ToolSource {
  const open = Object.entries(servers).map(([name, server]) => openServer(name, server, host));
  return {
    async tools(signal) {
      const all = await Promise.allSettled(open.map(each => each.tools(signal)));
      signal.throwIfAborted();
      const wrong = all.flatMap(each => (each.status === 'rejected' ? [messageOf(each.reason)] : []));
      if (wrong.length > 0) throw new Error(wrong.join('\n'));
      return all.flatMap(each => (each.status === 'fulfilled' ? each.value : []));
    },
    async close() {
      await Promise.all(open.map(each => each.close()));
    },
  };
}
