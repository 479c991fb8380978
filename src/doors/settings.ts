// Settings from the environment for all entry points, as values that are passed down.
import http from 'node:http';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { reachOf } from '@echelon/ground';
import { addressName, type ProviderKeys, providerKeys, providers } from '../engine/models/provider-keys.ts';

export type Settings = ReturnType<typeof readSettings>;

/** Throws a plain Error, with the variable's name, for a value that cannot be used. `identity`: see `providerKeys`. */
export function readSettings(env: NodeJS.ProcessEnv = process.env, as: { identity?: boolean } = {}) {
  return {
    /** PATH, to find toolchains and to start jobs with. */
    path: env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    temporary: tmpdir(),
    /** Folder for a person's history, made when it is first needed. */
    state: stateFolder(env),
    /** The home folder of who runs it. */
    home: homedir(),
    providers: checkedKeys(env, as),
    /** Keys of the record from ECHELON_STATE_KEY, the newest first. */
    stateKeys: stateKeys(filled(env['ECHELON_STATE_KEY'])),
    /** Safeguards that the operator lets repositories switch off (ECHELON_ISOLATION=none, ECHELON_NETWORK=all). */
    allows: {
      isolationNone: oneOf(env, 'ECHELON_ISOLATION', ['auto', 'none']) === 'none',
      network: ['all', 'true'].includes(
        oneOf(env, 'ECHELON_NETWORK', ['none', 'all', 'false', 'true']) ?? '',
      ),
    },
    /** By what the machine reaches the network. */
    reach: reachOf(env),
    colour: Boolean(process.stdout.isTTY) && !env['NO_COLOR'],
    /** Text on a terminal may be erased again. Writers check themselves that their stream is a terminal. */
    live: !env['NO_COLOR'] && env['TERM'] !== 'dumb',
  };
}

function checkedKeys(env: NodeJS.ProcessEnv, as: { identity?: boolean }): ProviderKeys {
  for (const provider of providers) address(env, addressName(provider));
  return providerKeys(env, as);
}

/** By the XDG Base Directory Specification, which lets no relative path count. */
function stateFolder(env: NodeJS.ProcessEnv): string {
  const named = filled(env['XDG_STATE_HOME']);
  return join(named && isAbsolute(named) ? named : join(homedir(), '.local/state'), 'echelon');
}

/** Undefined for what is not set, or blank. */
export const filled = (text: string | undefined) => (text?.trim() ? text.trim() : undefined);

function oneOf(env: NodeJS.ProcessEnv, name: string, values: readonly string[]): string | undefined {
  const value = filled(env[name]);
  if (value !== undefined && !values.includes(value))
    throw new Error(`${name}: ${value} is not possible; it is one of ${values.join(', ')}`);
  return value;
}

/** Throws a plain Error for what is no address of a web server. */
export function address(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = filled(env[name]);
  if (text !== undefined && !/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new Error(`${name}: not an address that begins with http:// or https://`);
  return text;
}

/** Several keys, parted by commas or white space, for rotation; each at least 32 characters. */
function stateKeys(text: string | undefined): Uint8Array[] {
  const keys = text?.split(/[\s,]+/).filter(Boolean) ?? [];
  for (const key of keys)
    if (key.length < 32) throw new Error('ECHELON_STATE_KEY: each key needs at least 32 characters');
  return keys.map(key => new TextEncoder().encode(key));
}

/** Reached without it: the local GitHub, and servers of one's own on this machine. */
const here = ['localhost', '.localhost', '127.0.0.1', '[::1]'];

/**
 * By HTTP_PROXY, HTTPS_PROXY and NO_PROXY, in capitals or small letters; to be called before the first request. Before
 * Node 24.14 it has no effect. Answers what undoes it.
 */
export function useProxy(env: NodeJS.ProcessEnv): () => void {
  const named = (name: string) => env[name.toLowerCase()] || env[name.toUpperCase()];
  const [http_proxy, https_proxy] = [named('http_proxy'), named('https_proxy')];
  if (!(http_proxy || https_proxy) || !('setGlobalProxyFromEnv' in http)) return () => {};
  const no_proxy = [named('no_proxy') ?? [], here].flat().join(',');
  return http.setGlobalProxyFromEnv({ http_proxy, https_proxy, no_proxy });
}
