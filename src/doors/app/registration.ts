// Registers the App on GitHub from its manifest: what is asked for, what comes back for the code, and where it is kept.
import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { codeOf, messageOf, jsonOf } from '@echelon/ground';
import { type AppCredentials, isPrivateKey } from './server-settings.ts';

const Manifest = z.strictObject({
  name: z.string(),
  description: z.string(),
  url: z.url(),
  public: z.boolean(),
  default_permissions: z.record(z.string(), z.enum(['read', 'write'])),
  default_events: z.array(z.string()),
});

/** app.yml: what the App may do on GitHub, and what it is told. */
export const appManifest = () =>
  Manifest.parse(parse(readFileSync(join(import.meta.dirname, '../../../app.yml'), 'utf8')));

/**
 * Manifest for registering the App on GitHub. Without a webhook URL it omits `hook_attributes` and the events, since
 * GitHub refuses either one without the other.
 */
export function registrationOf(redirect: string, webhook: string | undefined) {
  const { default_events, ...manifest } = appManifest();
  return {
    ...manifest,
    redirect_url: redirect,
    ...(webhook && { hook_attributes: { url: webhook, active: true }, default_events }),
  };
}

/** Reason that the App is not registered: a sentence with the remedy, without the code or anything that GitHub answered. */
export class NotRegistered extends Error {}

const Converted = z.object({
  id: z.number(),
  html_url: z.url(),
  pem: z.string().refine(isPrivateKey),
  /** None where the App has no webhook. */
  webhook_secret: z.string().nullable(),
});

/** Milliseconds that GitHub has for an answer. */
const PATIENCE_MS = 20_000;

/** Gets the credentials for the code that GitHub has sent the browser back with. Throws NotRegistered. */
export async function redeem(
  api: string,
  code: string,
): Promise<{ credentials: AppCredentials; page: string }> {
  let answer: Response;
  let body: unknown;
  try {
    answer = await fetch(`${api}/app-manifests/${encodeURIComponent(code)}/conversions`, {
      method: 'POST',
      redirect: 'error',
      headers: { accept: 'application/vnd.github+json', 'user-agent': 'echelon' },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    body = answer.ok ? await answer.json() : undefined;
  } catch (error) {
    throw new NotRegistered(
      `GitHub does not answer at ${api}: ${messageOf(error)}. Once it does, delete the App in its settings on GitHub, which nobody has the key of, and begin again.`,
      { cause: error },
    );
  }
  if (answer.status === 404)
    throw new NotRegistered(
      'GitHub does not know this code: it is good once, within an hour. Delete the App in its settings on GitHub, and begin again.',
    );
  const read = Converted.safeParse(body);
  if (!read.success)
    throw new NotRegistered(
      `GitHub answered with status ${answer.status} and no credentials of an App. Delete the App in its settings on GitHub, and begin again.`,
    );
  const { id, pem: privateKey, html_url: page, webhook_secret } = read.data;
  // One that nobody knows takes no webhook.
  const secret = webhook_secret ?? randomBytes(32).toString('hex');
  return { credentials: { id: String(id), privateKey, secret, baseUrl: api }, page };
}

const Kept = z.strictObject({
  id: z.string().regex(/^\d+$/),
  privateKey: z.string().refine(isPrivateKey),
  secret: z.string().min(1),
  baseUrl: z.url(),
});

const fileIn = (data: string) => join(data, 'app.json');

/** Keeps credentials in the data folder, for this user alone, whole or not at all. Throws what the file system throws. */
export function keepCredentials(data: string, credentials: AppCredentials): void {
  const path = `${fileIn(data)}.new`;
  rmSync(path, { force: true });
  const text = `${JSON.stringify(credentials, undefined, 2)}\n`;
  writeFileSync(path, text, { flag: 'wx', mode: 0o600, flush: true });
  renameSync(path, fileIn(data));
}

/** The credentials that were kept; undefined where none were. Throws an Error with the remedy for a file that is not as it was kept. */
export function keptCredentials(data: string): AppCredentials | undefined {
  const path = fileIn(data);
  let text: string;
  try {
    if ((statSync(path).mode & 0o077) !== 0)
      throw new Error(`${path} holds the App's key and others may read it: chmod 600 ${path}`);
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  const { data: kept } = Kept.safeParse(jsonOf(text));
  if (kept) return kept;
  // The wrong content may be half a key, which is shown nowhere.
  throw new Error(
    `${path} does not hold an App's credentials: remove it and register again, or set APP_ID, PRIVATE_KEY and WEBHOOK_SECRET`,
  );
}
