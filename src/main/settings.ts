// The only reader of the environment: what it says becomes values that are handed down.
import { hkdfSync } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Settings {
  /** PATH, to find toolchains and to start jobs with. */
  path: string;
  home: string;
  temporary: string;
  anthropic: { apiKey: string | undefined; baseUrl: string | undefined };
  /** Keys of the record from ECHELON_STATE_KEY, the newest first. */
  stateKeys: Uint8Array[];
  /** Credentials of a GitHub App, by Probot's usual names. */
  app: { id: string; privateKey: string; secret: string; baseUrl: string } | undefined;
  port: number | undefined;
  logLevel: string;
  colour: boolean;
}

/** Throws a plain Error, with the variable's name, for a value that cannot be used. */
export function readSettings(env: NodeJS.ProcessEnv = process.env): Settings {
  return {
    path: env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    home: homedir(),
    temporary: tmpdir(),
    anthropic: { apiKey: filled(env['ANTHROPIC_API_KEY']), baseUrl: filled(env['ANTHROPIC_BASE_URL']) },
    stateKeys: stateKeys(filled(env['ECHELON_STATE_KEY'])),
    app: appCredentials(env),
    port: env['PORT'] ? Number(env['PORT']) : undefined,
    logLevel: env['LOG_LEVEL'] ?? 'warn',
    colour: Boolean(process.stdout.isTTY) && !env['NO_COLOR'],
  };
}

const filled = (text: string | undefined) => (text?.trim() ? text.trim() : undefined);

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

function appCredentials(env: NodeJS.ProcessEnv): Settings['app'] {
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
  if (!privateKey.includes('-----BEGIN')) throw new Error('PRIVATE_KEY: not a private key in PEM or base64');
  const host = filled(env['GHE_HOST']);
  const protocol = filled(env['GHE_PROTOCOL']) ?? 'https';
  return {
    id,
    privateKey,
    secret,
    baseUrl: host ? `${protocol}://${host}/api/v3` : 'https://api.github.com',
  };
}

/** Folder in which mirrors and jobs are kept between runs. */
export const defaultData = (settings: Settings) => join(settings.home, '.cache', 'echelon');
