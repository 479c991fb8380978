// Pages renew themselves: a stream tells that something changed, and a script brings it into the page.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';
import type { Forge } from '../forge.ts';

/** Milliseconds between two looks. */
const LOOK_MS = 400;
/** Milliseconds after which a line is sent although nothing changed, so that nobody takes the connection for dead. */
const ALIVE_MS = 15_000;
/** Pages that are told at a time; the others are renewed by reloading. */
const MOST = 50;

/** URL of the script. The policy allows no other one. */
export const scriptPath = '/-/live.js';

const script = [
  readFileSync(createRequire(import.meta.url).resolve('idiomorph/dist/idiomorph.min.js'), 'utf8'),
  readFileSync(join(import.meta.dirname, 'live.js'), 'utf8'),
  readFileSync(join(import.meta.dirname, 'writing.js'), 'utf8'),
  readFileSync(join(import.meta.dirname, './files/lines.js'), 'utf8'),
].join('\n');

export const scriptTag = {
  src: scriptPath,
  integrity: `sha384-${createHash('sha384').update(script).digest('base64')}`,
};

export function livePages(app: Hono, forge: Pick<Forge, 'changes'>) {
  let told = 0;

  app.get('/-/changes', c => {
    if (told >= MOST) return c.text('Too many pages are open.', 503);
    return streamSSE(c, async stream => {
      told += 1;
      const end = new AbortController();
      stream.onAbort(() => end.abort());
      try {
        let seen = forge.changes();
        let quiet = 0;
        await stream.write(': here\n\n');
        while (!end.signal.aborted) {
          await setTimeout(LOOK_MS, undefined, { signal: end.signal, ref: false });
          const now = forge.changes();
          quiet = now === seen ? quiet + LOOK_MS : 0;
          if (now !== seen) await stream.writeSSE({ data: String(now) });
          else if (quiet >= ALIVE_MS) await stream.write(': still here\n\n');
          if (quiet >= ALIVE_MS) quiet = 0;
          seen = now;
        }
      } catch {
        // The page was left, or the forge is closed.
      } finally {
        told -= 1;
      }
    });
  });
}

/** The script itself, for whoever asks: it holds nothing of the forge. */
export const scriptPages = new Hono().get(scriptPath, c =>
  c.body(script, 200, { 'Content-Type': 'text/javascript; charset=utf-8' }),
);
