// MCP over the lines of a process: what comes in is bounded, and what nobody asked for is counted.
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isObject, jsonOf } from '@echelon/ground';
import type { LineProcess } from '@echelon/ground/workspace';

/** Bytes of one message. */
export const maxMessage = 4 << 20;
/** Bytes of lines that answer no request: notifications, requests of its own, and what is no message. */
const maxChatter = 16 << 20;
/** Minimum weight of a line: reading many short ones takes long, too. */
const leastLine = 256;

/** `start` begins the process, which hands its lines to the function that it is given. */
export function transportOver(start: (onLine: (line: string) => void) => LineProcess): Transport {
  const asked = new Set<unknown>();
  let process: LineProcess | undefined;
  let chatter = 0;
  const transport: Transport = {
    async start() {
      process = start(hear);
      void process.ended.then(() => transport.onclose?.());
    },
    async send(message) {
      if ('method' in message && 'id' in message) asked.add(message.id);
      process?.send(JSON.stringify(message));
    },
    async close() {
      await process?.end();
    },
  };
  const tell = (message: JSONRPCMessage) => {
    try {
      transport.onmessage?.(message);
    } catch {
      // It is read from the pipe: an error in it would be one of the whole process.
      process?.fail('was ended: it wrote a message that cannot be read');
    }
  };
  const hear = (line: string): void => {
    const message = readMessage(line);
    const isAnswer = message !== undefined && !('method' in message) && asked.delete(message.id);
    if (!isAnswer) chatter += Math.max(leastLine, line.length);
    if (chatter > maxChatter) process?.fail('was ended: it wrote too much that nobody had asked for');
    else if (message && ('method' in message || isAnswer)) tell(message);
  };
  return transport;
}

function readMessage(line: string): (JSONRPCMessage & { id?: unknown }) | undefined {
  if (!line.startsWith('{')) return undefined;
  const read = jsonOf(line);
  // Its receivers validate the rest by a schema.
  return isObject(read) && read['jsonrpc'] === '2.0' ? (read as unknown as JSONRPCMessage) : undefined;
}
