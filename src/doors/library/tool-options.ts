// The tools that a program of one's own brings along: functions of its own, and MCP servers.
import type { z } from 'zod';
import { type Mask, masker } from '@echelon/ground';
import { type FurtherTools, serverMark, type Tool } from '../../engine/language.ts';
import { secretsOf } from '../../engine/models/provider-keys.ts';
import type { McpServers, OwnTool, ToolSource } from '../../engine/engine.ts';
import { bindOwnTools, openServers, readServers, secretsOfServers } from '../../engine/engine.ts';
import type { Settings } from '../settings.ts';

/** `Inputs`: the schemas of the inputs of `tools`, in their order. */
export interface ToolOptions<Inputs extends readonly z.ZodType[]> {
  /** Own tools, besides the built-in ones: a program names them in `<tools>`. Default: none. */
  tools?: { readonly [K in keyof Inputs]: OwnTool<Inputs[K]> };
  /**
   * MCP servers over stdio, by names of one's own: a program names their tools `server__tool`. They are started with the
   * first execution, and ended by `close`. Default: none.
   */
  mcp?: McpServers;
  /** Reports harmless oddities: 80 % of a limit used, a retry, warnings of a result, an omitted tool. */
  onWarning?: (message: string) => void;
}

export interface BroughtTools {
  tools: readonly Tool[];
  source?: ToolSource;
  /** Their names, for programs. */
  names: FurtherTools;
  /** Takes keys of models and what the servers are given out of a text. */
  mask: Mask;
  /** The process holds what the servers are given as secrets. */
  secretsPresent: boolean;
}

/** `attempt` acts, and takes what it throws as a problem of the option. */
export function bringTools(
  { tools: own = [], mcp, onWarning }: ToolOptions<readonly z.ZodType[]>,
  { providers, path, home }: Pick<Settings, 'providers' | 'path' | 'home'>,
  attempt: <T>(option: string, act: () => T) => T | undefined,
): BroughtTools {
  const servers = attempt('mcp', () => readServers(mcp ?? {})) ?? {};
  const secrets = secretsOfServers(servers);
  const mask = masker([...secretsOf(providers), ...secrets]);
  const tools = attempt('tools', () => bindOwnTools(own, mask)) ?? [];
  for (const { name } of tools)
    for (const server of Object.keys(servers))
      attempt('tools', () => {
        if (name.startsWith(`${server}${serverMark}`))
          throw new Error(`${name}: the MCP server ${server} has tools of such names: take another`);
      });
  const source = openServers(servers, { path, home, mask, onNote: onWarning });
  return {
    tools,
    ...(Object.keys(servers).length > 0 && { source }),
    names: { names: tools.map(({ name }) => name), servers: Object.keys(servers) },
    mask,
    secretsPresent: secrets.length > 0,
  };
}
