// Settings of the environment for a server alone, so that no other command fails for them, or reads them.
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { messageOf } from '@echelon/ground';
import type { Cap, CapName, Caps, ConfigProblem } from '../../app/config.ts';
import {
  againstKnown,
  CapValues,
  maxYamlBytes,
  parseStrictYaml,
  Prices,
  tooLarge,
} from '../../app/config.ts';
import { createPrivateKey, hkdfSync } from 'node:crypto';
import { address, filled } from '../settings.ts';

export interface AppCredentials {
  id: string;
  /** PEM. */
  privateKey: string;
  /** Secret with which GitHub signs webhooks. */
  secret: string;
  /** Base URL of the REST API. */
  baseUrl: string;
}

export type ServerSettings = ReturnType<typeof readServerSettings>;

/** Throws a plain Error, with the variable's name, for a value that cannot be used. */
export function readServerSettings(env: NodeJS.ProcessEnv = process.env) {
  const api = apiOf(env);
  return {
    /** By Probot's usual names; undefined when none is set. */
    app: appCredentials(env, api),
    /** Base URL of the REST API of the GitHub that an App works on, or would be registered on. */
    api,
    /** The address to listen on (HOST); undefined: for the forge 127.0.0.1, for the App every one. */
    host: filled(env['HOST']),
    port: port(env),
    /** A channel of smee.io or of a server of its kind that webhooks are fetched from (WEBHOOK_PROXY_URL). */
    webhookProxy: address(env, 'WEBHOOK_PROXY_URL'),
    /** Caps that no repository may exceed (ECHELON_MAX_BUDGET and others, ECHELON_CONFIG). */
    caps: readCaps(env),
    logLevel: logLevel(env),
  };
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

/** The record's key where none is set: derived from the app's private key, never from a model's. */
export function derivedKey(privateKey: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', privateKey, '', 'echelon record v1', 32));
}

function appCredentials(env: NodeJS.ProcessEnv, baseUrl: string): AppCredentials | undefined {
  const id = filled(env['APP_ID']);
  const path = filled(env['PRIVATE_KEY_PATH']);
  const name = filled(env['PRIVATE_KEY']) === undefined && path ? 'PRIVATE_KEY_PATH' : 'PRIVATE_KEY';
  const encoded = name === 'PRIVATE_KEY' ? filled(env[name]) : path && textAt(path);
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
  if (!isPrivateKey(privateKey)) throw new Error(`${name}: not a private key in PEM or base64`);
  return { id, privateKey, secret, baseUrl };
}

function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`PRIVATE_KEY_PATH: ${messageOf(error)}`, { cause: error });
  }
}

export function isPrivateKey(pem: string): boolean {
  try {
    createPrivateKey(pem);
    return true;
  } catch {
    // OpenSSL's reason helps nobody.
    return false;
  }
}

/** Address of that GitHub for people and git clones: `https://github.com`. */
export const webOf = (api: string): string =>
  api === 'https://api.github.com' ? 'https://github.com' : api.replace(/\/api\/v3$/, '');

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

const OperatorFile = z.strictObject({ caps: CapValues.prefault({}), prices: Prices });

const variables: { readonly [name in CapName]-?: string } = {
  budget: 'ECHELON_MAX_BUDGET',
  max_parallel: 'ECHELON_MAX_PARALLEL',
  rounds: 'ECHELON_MAX_ROUNDS',
  runs_per_hour: 'ECHELON_MAX_RUNS_PER_HOUR',
};

/** A variable goes before the file. Throws an Error with every problem, each in a line that says where it is. */
export function readCaps(env: NodeJS.ProcessEnv): Caps {
  const caps: { [name in CapName]?: Cap } = {};
  const problems: string[] = [];
  const path = env['ECHELON_CONFIG']?.trim();
  const file = path ? readFile(path) : { values: {}, prices: {} };
  if ('problems' in file) problems.push(...file.problems);
  for (const name of Object.keys(variables) as CapName[]) {
    const variable = variables[name];
    const text = env[variable]?.trim();
    const inFile = 'problems' in file ? undefined : file.values[name];
    if (!text) {
      if (inFile !== undefined) caps[name] = { most: inFile, by: `caps.${name} of its configuration` };
      continue;
    }
    const read = CapValues.shape[name].safeParse(/^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN);
    if (read.success && read.data !== undefined) caps[name] = { most: read.data, by: variable };
    else problems.push(`${variable}: ${text} is not possible; it is ${range[name]}`);
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return 'problems' in file || Object.keys(file.prices).length === 0
    ? caps
    : { ...caps, prices: file.prices };
}

const range: { readonly [name in CapName]-?: string } = {
  budget: 'an amount of USD from 0.01 to 100000',
  max_parallel: 'a whole number from 1 to 20',
  rounds: 'a whole number from 1 to 20',
  runs_per_hour: 'a whole number from 1 to 1000',
};

interface Operators {
  values: { [name in CapName]?: number | undefined };
  prices: Prices;
}

function readFile(path: string): Operators | { problems: string[] } {
  let text: string;
  try {
    const { size } = statSync(path);
    if (size > maxYamlBytes) return { problems: [`${path}: ${tooLarge(size).message}`] };
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { problems: [`ECHELON_CONFIG: ${messageOf(error)}`] };
  }
  const read = parseStrictYaml(text, OperatorFile);
  const told = (problems: readonly ConfigProblem[]) => ({
    problems: problems.map(({ line, column, message }) => `${path}:${line}:${column} ${message}`),
  });
  if ('problems' in read) return told(read.problems);
  const known = Object.keys(read.value.prices).flatMap(model => againstKnown(read, 'prices', model));
  if (known.length > 0) return told(known);
  return { values: read.value.caps, prices: read.value.prices };
}
