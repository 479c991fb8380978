// The only reader of the environment: what it says becomes values that are handed down.
import { createPrivateKey, hkdfSync } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { Caps } from '../app/config/caps.ts';
import { readCaps } from './caps.ts';

export interface Settings {
  /** PATH, to find toolchains and to start jobs with. */
  path: string;
  temporary: string;
  anthropic: { apiKey: string | undefined; baseUrl: string | undefined };
  /** Keys of the record from ECHELON_STATE_KEY, the newest first. */
  stateKeys: Uint8Array[];
  /** What the operator allows repositories to switch off (ECHELON_ISOLATION=none, ECHELON_NETWORK=true). */
  allows: { isolationNone: boolean; network: boolean };
  colour: boolean;
  /** What a server needs. Read when it asks, so that no other command fails for it. Throws like readSettings. */
  server(): ServerSettings;
}

export interface ServerSettings {
  /** Credentials of a GitHub App, by Probot's usual names; undefined when none is set. */
  app: { id: string; privateKey: string; secret: string; baseUrl: string } | undefined;
  port: number | undefined;
  /** What no repository may go beyond (ECHELON_MAX_BUDGET and others, ECHELON_CONFIG). */
  caps: Caps;
  logLevel: string;
}

/** Throws a plain Error, with the variable's name, for a value that cannot be used. */
export function readSettings(env: NodeJS.ProcessEnv = process.env): Settings {
  return {
    path: env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    temporary: tmpdir(),
    anthropic: { apiKey: filled(env['ANTHROPIC_API_KEY']), baseUrl: address(env, 'ANTHROPIC_BASE_URL') },
    stateKeys: stateKeys(filled(env['ECHELON_STATE_KEY'])),
    allows: {
      isolationNone: oneOf(env, 'ECHELON_ISOLATION', ['auto', 'none']) === 'none',
      network: oneOf(env, 'ECHELON_NETWORK', ['false', 'true']) === 'true',
    },
    colour: Boolean(process.stdout.isTTY) && !env['NO_COLOR'],
    server: () => ({
      app: appCredentials(env),
      port: port(env),
      caps: readCaps(env),
      logLevel: logLevel(env),
    }),
  };
}

const filled = (text: string | undefined) => (text?.trim() ? text.trim() : undefined);

function oneOf(env: NodeJS.ProcessEnv, name: string, values: readonly string[]): string | undefined {
  const value = filled(env[name]);
  if (value !== undefined && !values.includes(value))
    throw new Error(`${name}: ${value} is not possible; it is one of ${values.join(', ')}`);
  return value;
}

/** The port that a text names, 0 for any free one; undefined for anything else. */
export function portOf(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
}

function port(env: NodeJS.ProcessEnv): number | undefined {
  const text = filled(env['PORT']);
  const found = text === undefined ? undefined : portOf(text);
  if (text !== undefined && found === undefined) throw new Error(`PORT: ${text} is not a port`);
  return found;
}

/** Levels of Probot's log. */
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

function logLevel(env: NodeJS.ProcessEnv): string {
  const level = filled(env['LOG_LEVEL'])?.toLowerCase() ?? 'warn';
  if (!levels.includes(level))
    throw new Error(`LOG_LEVEL: ${level} is not a level; it is one of ${levels.join(', ')}`);
  return level;
}

function address(env: NodeJS.ProcessEnv, name: string): string | undefined {
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

/** The record's key where none is set: derived from the app's private key, never from a model's. */
export function derivedKey(privateKey: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', privateKey, '', 'echelon record v1', 32));
}

function appCredentials(env: NodeJS.ProcessEnv): ServerSettings['app'] {
  const id = filled(env['APP_ID']);
  const encoded = filled(env['PRIVATE_KEY']);
  const secret = filled(env['WEBHOOK_SECRET']);
  const given = { APP_ID: id, PRIVATE_KEY: encoded, WEBHOOK_SECRET: secret };
  const missing = Object.entries(given).filter(([, value]) => !value);
  if (missing.length === 3) return undefined;
  if (!id || !encoded || !secret)
    throw new Error(
      `to run as a GitHub App ${missing.map(([name]) => name).join(' and ')} must be set too; without any of them the local forge is served`,
    );
  // Probot takes the key as it is, with \n for line ends, or in base64.
  const text = encoded.includes('-----BEGIN') ? encoded : Buffer.from(encoded, 'base64').toString('utf8');
  const privateKey = text.replace(/\\n/g, '\n');
  if (!isPrivateKey(privateKey)) throw new Error('PRIVATE_KEY: not a private key in PEM or base64');
  return { id, privateKey, secret, baseUrl: apiOf(env) };
}

function isPrivateKey(pem: string): boolean {
  try {
    createPrivateKey(pem);
    return true;
  } catch {
    // Why it cannot be read is in OpenSSL's words, which help nobody.
    return false;
  }
}

/** Base URL of the REST API: GitHub's, or that of the GitHub Enterprise Server that GHE_HOST names. */
function apiOf(env: NodeJS.ProcessEnv): string {
  const host = filled(env['GHE_HOST']);
  const protocol = filled(env['GHE_PROTOCOL']) ?? 'https';
  if (!/^https?$/.test(protocol)) throw new Error(`GHE_PROTOCOL: ${protocol} is neither https nor http`);
  if (!host) return 'https://api.github.com';
  if (!/^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i.test(host))
    throw new Error(`GHE_HOST: ${host} is not a host such as github.example.com or github.example.com:8443`);
  return `${protocol}://${host}/api/v3`;
}
