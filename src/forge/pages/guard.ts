// Keeps other web pages from driving the forge through a person's browser, and hostile text from running in one.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

/** The pages run no script, load nothing from elsewhere, and send forms to themselves only. */
const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** Refused before any page sees it: why, in a sentence with the remedy. */
export class NotOurs extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotOurs';
  }
}

/** What browsers are told about every answer, refusals included. */
export const securityHeaders: MiddlewareHandler = async (c, next) => {
  c.header('Content-Security-Policy', policy);
  c.header('X-Content-Type-Options', 'nosniff');
  c.header('X-Frame-Options', 'DENY');
  // Not `no-referrer`: with it browsers send `Origin: null` on the site's own forms.
  c.header('Referrer-Policy', 'same-origin');
  c.header('Cross-Origin-Opener-Policy', 'same-origin');
  c.header('Cross-Origin-Resource-Policy', 'same-origin');
  // Not `no-store`: going back after a refusal must find what was typed.
  c.header('Cache-Control', 'private, no-cache');
  await next();
};

/**
 * Gives each browser a session, and lets a change through only if it comes from this site's own form: loopback
 * host, same origin, and the session's token. Throws NotOurs otherwise.
 */
export function guard(): MiddlewareHandler {
  // A new key each start: forms of an earlier start are refused and only need a reload.
  const key = randomBytes(32);
  return async (c, next) => {
    const url = new URL(c.req.url);
    checkHost(url);
    const token = createHmac('sha256', key).update(session(c, url)).digest('hex');
    c.set('csrf', token);
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      checkOrigin(c, url);
      const given = (await c.req.parseBody())['csrf'];
      if (typeof given !== 'string' || !same(given, token))
        throw new NotOurs(
          'This form is from another session or an earlier start. Reload the page and send it again.',
        );
    }
    await next();
  };
}

/** A name of another site that was made to resolve to this machine (DNS rebinding) is no way in. */
function checkHost({ hostname, host }: URL): void {
  if (!/^(localhost|([\w-]+\.)+localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname))
    throw new NotOurs(
      `The pages answer on this machine's own names only, not on ${host}. Use http://localhost instead.`,
    );
}

function checkOrigin(c: Context, { origin }: URL): void {
  const from = c.req.header('origin');
  const site = c.req.header('sec-fetch-site');
  if ((from !== undefined && from !== origin) || (site !== undefined && site !== 'same-origin'))
    throw new NotOurs(`A change must come from the forge's own pages, not from ${from ?? `a ${site} page`}.`);
}

/** The browser's session; cookies know no ports, so the port is in its name. */
function session(c: Context, { port }: URL): string {
  const name = `forge_session_${port || '80'}`;
  const known = getCookie(c, name);
  if (known !== undefined && /^[\w-]{43}$/.test(known)) return known;
  const made = randomBytes(32).toString('base64url');
  setCookie(c, name, made, { httpOnly: true, sameSite: 'Lax', path: '/' });
  return made;
}

function same(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
