// One MCP server: a process that is started when it is needed, asked for its tools once, and started again where it ends.
import type { Tool as Listed } from '@modelcontextprotocol/client';
import { deadline, messageOf, race, seen, shortened, systemClock } from '@echelon/ground';
import { type LineProcess, startLineProcess } from '@echelon/ground/workspace';
import { type Tool, ToolRefusal } from '../../language/tool.ts';
import { outsideCall } from '../tools/own-tools.ts';
import { answered, type ServedTool, servedTool } from './served-tool.ts';
import { maxMessage, transportOver } from './transport.ts';

/** Command of a server, in the form of other programs' `mcpServers`. */
export interface McpServer {
  command: string;
  args?: readonly string[];
  /** Environment of its process besides PATH and HOME. The values count as secrets: they are masked in its answers. */
  env?: Readonly<Record<string, string>>;
  /** Its working folder; default: the home folder, never that of the programs. */
  cwd?: string;
}

export interface McpHost {
  /** PATH and HOME of the servers. */
  path: string;
  home: string;
  mask: (text: string) => string;
  /** Gets what was left out of a server's tools, a line each. */
  onNote?: ((line: string) => void) | undefined;
  /** Milliseconds for a start with its list of tools, and for a call. Default: 60,000 and 120,000. */
  times?: { start: number; call: number };
}

export type OpenServer = ReturnType<typeof openServer>;

type Connection = Awaited<ReturnType<typeof connect>>;

/** A server that lists more is none of use: a model would be told of none of the others either. */
const MAX_TOOLS = 500;
/** Times that a server that ended is started again. */
const MAX_RESTARTS = 3;
/** Characters of what is told of a failure. */
const MAX_WHY = 500;
const standardTimes = { start: 60_000, call: 120_000 };

export function openServer(name: string, server: McpServer, host: McpHost) {
  const { mask, times = standardTimes } = host;
  let connection: Promise<Connection> | undefined;
  let listed: Promise<readonly Tool[]> | undefined;
  let starts = 0;
  // A start serves whoever waits for it, so that it is no caller's to end.
  const life = new AbortController();

  const told = (how: string) => shortened(mask(seen(how).text), MAX_WHY);

  /** The connection that there is, or a new one. */
  const connected = async (): Promise<Connection> => {
    if (connection) return await connection;
    if (starts > MAX_RESTARTS)
      throw new Error(`the MCP server ${name} ended ${starts} times, and is not started again`);
    starts += 1;
    const made = connect(server, host, times.start, life.signal);
    connection = made;
    const forget = () => {
      if (connection === made) connection = undefined;
    };
    made.then(({ process }) => process.ended.then(forget), forget);
    return await made;
  };

  const call = async ({ theirs }: ServedTool, input: unknown, signal: AbortSignal): Promise<string> => {
    const { client, process } = await connected();
    const request = { name: theirs, arguments: input };
    const result = await client
      .request({ method: 'tools/call', params: request }, { signal, timeout: times.call })
      .catch(async (error: unknown) => {
        // One that ended says it better than the connection that broke with it.
        const how = await Promise.race([process.ended, Promise.resolve()]);
        throw how === undefined ? error : new Error(`the server ${how}`);
      });
    const text = answered(name, result, mask);
    if (result.isError) throw new ToolRefusal(text);
    return text;
  };

  const list = async (): Promise<readonly Tool[]> => {
    const tools = new Map<string, Tool>();
    for (const each of await theirTools(await connected(), times.start, life.signal)) {
      const tool = servedTool(name, each);
      const leftOut =
        'leftOut' in tool ? tool.leftOut : tools.has(tool.name) ? 'another one has its name' : undefined;
      if (leftOut !== undefined)
        host.onNote?.(
          `the tool ${told(each.name).slice(0, 80)} of the MCP server ${name} is left out: ${leftOut}`,
        );
      else if (!('leftOut' in tool)) {
        const { name, description, input, readOnly } = tool;
        tools.set(name, {
          ...{ name, description, input, readOnly, outside: true },
          run: (given, signal) =>
            outsideCall({ name, ms: times.call, mask, signal }, inTime => call(tool, given, inTime)),
        });
      }
    }
    return [...tools.values()];
  };

  return {
    /** Started where it is not, its tools as they were at the first time. Throws an Error, in words for a person. */
    tools: (signal: AbortSignal): Promise<readonly Tool[]> => {
      listed ??= list().catch((error: unknown) => {
        listed = undefined;
        throw new Error(`the MCP server ${name} cannot be used: ${told(messageOf(error))}`);
      });
      return race(listed, signal);
    },
    async close(): Promise<void> {
      life.abort(new Error('it was closed'));
      const { process } = (await connection?.catch(() => undefined)) ?? {};
      await process?.end();
    },
  };
}

/** A process that has answered the handshake. Throws an Error with how it ended, where it did not come so far. */
async function connect(server: McpServer, { path, home }: McpHost, ms: number, signal: AbortSignal) {
  // It takes longer to load than all else: only who names a server pays for it.
  const { Client } = await import('@modelcontextprotocol/client');
  const { command, args = [], env = {}, cwd = home } = server;
  const held: { process?: LineProcess } = {};
  const transport = transportOver(onLine => {
    const own = { PATH: path, HOME: home, ...env };
    held.process = startLineProcess({ command, args, env: own, cwd, maxLine: maxMessage, onLine });
    return held.process;
  });
  const client = new Client({ name: 'echelon', version: '1' }, { capabilities: {} });
  const time = deadline(ms, systemClock, signal);
  try {
    await time.race(client.connect(transport, { signal: time.signal, timeout: ms }));
    if (!held.process) throw new Error('it was not started');
    return { client, process: held.process };
  } catch (error) {
    const { process } = held;
    if (!process) throw error;
    const late = time.expired() ? `did not answer the handshake within ${ms / 1000} s` : undefined;
    if (late !== undefined || signal.aborted) process.fail(late ?? 'was ended');
    // After any other error of the handshake too, nothing of the process is left.
    const how = await Promise.race([process.ended, Promise.resolve()]);
    await process.end();
    throw how === undefined && late === undefined ? error : new Error(`it ${late ?? how}`);
  } finally {
    time.end();
  }
}

/** All that it lists, page by page. Throws an Error for too many, for what is no list, and for how it ended. */
async function theirTools(
  { client, process }: Connection,
  ms: number,
  signal: AbortSignal,
): Promise<Listed[]> {
  const all: Listed[] = [];
  const time = deadline(ms, systemClock, signal);
  try {
    for (let cursor: string | undefined; ; ) {
      const page = await time.race(
        client.request(
          { method: 'tools/list', params: { ...(cursor !== undefined && { cursor }) } },
          { signal: time.signal, timeout: ms },
        ),
      );
      all.push(...page.tools);
      if (all.length > MAX_TOOLS) throw new Error(`it lists more than ${MAX_TOOLS} tools`);
      if (page.nextCursor === undefined) return all;
      // Pages without tools could go on for ever, too: the time is up at some point.
      cursor = page.nextCursor;
    }
  } catch (error) {
    if (time.expired()) process.fail(`did not list its tools within ${ms / 1000} s`);
    const how = await Promise.race([process.ended, Promise.resolve()]);
    if (time.expired()) throw new Error(`it did not list its tools within ${ms / 1000} s`);
    throw how === undefined ? error : new Error(`it ${how}`);
  } finally {
    time.end();
  }
}
