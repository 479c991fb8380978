// The forge as web pages: readable without script, renewed by one, changed by forms that go through the forge's own API.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { html } from 'hono/html';
import type { Forge } from '../forge.ts';
import { Api, Refusal } from './api.ts';
import { changedFilePages } from './changed-files.ts';
import { deliveryPages } from './deliveries.ts';
import { guard, NotOurs, securityHeaders } from './guard.ts';
import { filePages } from './files/files.ts';
import type { IssueRuns } from './issue-run/issue-run.ts';
import { issueRunPages } from './issue-run/pages.ts';
import { issuePages, type QuickReplies } from './issue.ts';
import { installationPages, newAppPages, newAppPath } from './installations.ts';
import { jobPages } from './job.ts';
import { type Example, issuesPages } from './issues.ts';
import { livePages, scriptPages } from './live.ts';
import { show, type CommandHelp } from './layout.ts';
import { pullPages } from './pull.ts';
import { repositoryPages } from './repositories.ts';
import { runPages } from './runs.ts';
import { threadPages } from './threads.ts';
import { previewPages } from './forms.ts';

/** A text of the API's largest size, percent-encoded, fits: 65,536 characters of up to 12 bytes. */
const largestForm = 1024 * 1024;

interface PagesOptions {
  actor: string;
  key: string;
  banner?: string;
  examples?: readonly Example[];
  quickReplies?: QuickReplies;
  commands?: readonly CommandHelp[];
  issueRuns?: IssueRuns;
  also?: { name: string; path: string; pages: Hono<{ Bindings: HttpBindings }> };
}

/**
 * The pages of a forge, for all that is neither its API nor git. `actor` is the login of the person whom the pages
 * act for; while the forge has no such person, every page says so. `key`: only browsers that were given it are let
 * in. `banner` is a sentence shown on every page. `examples`: issues that the form for a new one
 * offers. `quickReplies`: what the comments of an issue offer to say in answer. `commands`: what else comments may
 * say, offered while one types. `issueRuns`: what is worked on issues. `also`: pages of whoever serves the
 * forge, linked on every page.
 */
export function pages(forge: Forge, options: PagesOptions): Hono {
  const api = new Api(forge, options.actor);
  const file = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
  const style = [
    'style.css',
    'markdown/markdown.css',
    'writing.css',
    'review.css',
    'files/files.css',
    'issue-run/issue-run.css',
  ]
    .map(file)
    .join('');
  const icon = file('icon.svg');
  const commands = options.commands ?? [];

  const app = new Hono();
  app.use(securityHeaders);
  app.use(async (c, next) => {
    forge.tokenFor(options.actor);
    c.set('actor', options.actor);
    c.set('csrf', '');
    c.set('banner', options.banner);
    c.set('also', options.also);
    c.set('commands', commands);
    await next();
  });
  app.use(
    bodyLimit({ maxSize: largestForm, onError: c => failed(c, 413, 'The form holds more than 1 MB.') }),
  );
  app.get('/-/style.css', c => c.body(style, 200, { 'Content-Type': 'text/css; charset=utf-8' }));
  app.get('/-/icon.svg', c => c.body(icon, 200, { 'Content-Type': 'image/svg+xml' }));
  app.route('/', scriptPages);
  app.use(guard(options.key, newAppPath));
  livePages(app, forge);
  if (options.also) app.route('/', options.also.pages);
  previewPages(app, api);
  newAppPages(app, forge);
  installationPages(app, api, forge);
  deliveryPages(app, forge);
  repositoryPages(app, api, forge.url);
  filePages(app, api);
  issuesPages(app, api, options.examples ?? []);
  issuePages(app, api, options.quickReplies ?? (() => new Map()), options.issueRuns);
  if (options.issueRuns) issueRunPages(app, api, options.issueRuns);
  pullPages(app, api);
  changedFilePages(app, api);
  threadPages(app, api);
  runPages(app, api, forge);
  jobPages(app, api, forge);
  app.notFound(c => failed(c, 404, 'There is no such page.'));
  app.onError((error, c) => {
    if (error instanceof NotOurs) return failed(c, 403, error.message);
    if (error instanceof Refusal) return failed(c, error.status, error.message);
    return failed(c, 500, `The page could not be made: ${error.message}`);
  });
  return app;
}

/** A refusal as a page; the browser's way back keeps what was typed. */
function failed(c: Context, status: number, message: string) {
  const shown =
    ([400, 403, 404, 413, 422] as const).find(each => each === status) ?? (status < 500 ? 400 : 500);
  return show(
    c,
    shown === 404 ? 'Not found' : 'That did not work',
    html`<h1>${shown === 404 ? 'Not found' : 'That did not work'}</h1><p>${message}</p>
<p class="quiet">Go back in the browser to change what you sent, or to <a href="/">the repositories</a>.</p>`,
    shown,
  );
}
