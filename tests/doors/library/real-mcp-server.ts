// An MCP server made with the protocol's own library.
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const server = new McpServer({ name: 'stock', version: '1.0.0' });
const input = z.object({ part: z.string() });
server.registerTool(
  'count',
  { description: 'How many of a part there are.', inputSchema: input, annotations: { readOnlyHint: true } },
  async ({ part }) => ({ content: [{ type: 'text', text: `${part}: ${part.length}` }] }),
);
const ordered: string[] = [];
server.registerTool('order', { description: 'Orders a part.', inputSchema: input }, async ({ part }) => {
  ordered.push(part);
  return { content: [{ type: 'text', text: `ordered: ${ordered.join(' ')}` }] };
});
await server.connect(new StdioServerTransport());
