// Keeps other web pages from driving the forge through a person's browser, and hostile text from running in one.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { scriptPath } from './live.ts';

/**
 * The pages run one script of their own, load nothing from elsewhere (pictures may stand in them), and send forms to
 * themselves only.
 */
const policy = (c: Context, forms: string) =>
  [
    `default-src 'none'; style-src 'self'; img-src 'self' data:; connect-src 'self'`,
    `script-src ${new URL(c.req.url).origin}${scriptPath}; form-action ${forms}; frame-ancestors 'none'; base-uri 'none'`,
  ].join('; ');

/** Lets the forms of this one page lead to another site: sent there, or redirected there by the forge. */
export const allowFormsTo = (c: Context, origin: string) =>
  c.header('Content-Security-Policy', policy(c, `'self' ${origin}`));

/** Refused before any page sees it: why, in a sentence with the remedy. */
export class NotOurs extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotOurs';
  }
}

/** Security headers of every response, errors included. */
export const securityHeaders: MiddlewareHandler = async (c, next) => {
  c.header('Content-Security-Policy', policy(c, "'self'"));
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
 * Lets only browsers in that were given the key, and a change through only if it comes from this site's own form:
 * loopback host, same origin, and the session's token. The pages act for a person, and any user of the machine, or
 * a job with a network, can reach their port. An address with `?key=...` begins a session. Throws NotOurs otherwise.
 * `onlyAsks`: paths whose forms other sites may send, since they change nothing.
 */
export function guard(key: string, onlyAsks: RegExp): MiddlewareHandler {
  // A new secret each start: forms of an earlier start are refused and only need a reload.
  const secret = randomBytes(32);
  return async (c, next) => {
    const url = new URL(c.req.url);
    checkHost(url);
    const given = url.searchParams.get('key');
    if (given !== null && same(given, key)) {
      begin(c, url, key);
      url.searchParams.delete('key');
      return c.redirect(`${url.pathname}${url.search}`, 303);
    }
    const token = createHmac('sha256', secret)
      .update(session(c, url, key))
      .digest('hex');
    c.set('csrf', token);
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD' && !onlyAsks.test(url.pathname)) {
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

/** Cookies know no ports, so the port is in the name. */
const cookieName = ({ port }: URL) => `forge_session_${port || '80'}`;

const signature = (key: string, id: string) => createHmac('sha256', key).update(id).digest('base64url');

function begin(c: Context, url: URL, key: string): void {
  const id = randomBytes(32).toString('base64url');
  setCookie(c, cookieName(url), `${id}.${signature(key, id)}`, {
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
  });
}

/** The browser's session, if it was begun with the key. */
function session(c: Context, url: URL, key: string): string {
  const [id = '', signed = ''] = (getCookie(c, cookieName(url)) ?? '').split('.');
  if (id !== '' && same(signed, signature(key, id))) return id;
  throw new NotOurs(
    'These pages act for the person who started the forge. Open the address with ?key=... that it printed: the first line in the terminal where npm start runs. It is the same after a restart.',
  );
}

function same(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
