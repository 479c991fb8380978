// The frame of every page: head, banner, navigation; and the small pieces that several pages show.
import type { Context } from 'hono';
import { html, type raw } from 'hono/html';
import { scriptTag } from './live.ts';

/** A line that a comment may say, and what comes of it. */
export interface CommandHelp {
  /** Without its slash. */
  name: string;
  /** With it, and with what may stand behind it. */
  usage: string;
  what: string;
}

/** A piece of a page; whatever is put into an `html` template is escaped unless it is one of these. */
export type Html = ReturnType<typeof raw> | Promise<ReturnType<typeof raw>>;

declare module 'hono' {
  /** Variables that every page receives: form token, current user, banner. */
  interface ContextVariableMap {
    /** Empty for who is not let in. */
    csrf: string;
    actor: string;
    banner: string | undefined;
    /** Something on the page is under way: without a script it is loaded again and again. */
    busy?: true;
    also: { name: string; path: string } | undefined;
    /** Commands that comments may contain. */
    commands: readonly CommandHelp[];
  }
}

/** Answers with a whole page. */
export function show(
  c: Context,
  title: string,
  body: Html,
  status: 200 | 400 | 403 | 404 | 413 | 422 | 500 = 200,
) {
  const busy = c.get('busy') === true;
  const banner = c.get('banner');
  const also = c.get('also');
  return c.html(
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="/-/icon.svg">
<link rel="stylesheet" href="/-/style.css">
${busy ? html`<noscript><meta http-equiv="refresh" content="5"></noscript>` : ''}
${c.get('csrf') === '' ? '' : html`<script src="${scriptTag.src}" integrity="${scriptTag.integrity}" defer></script>`}
</head>
<body${busy ? html` data-busy` : ''}>
<a class="skip" href="#main">Skip to the content</a>
${banner === undefined ? '' : html`<aside class="banner" aria-label="Notice">${banner}</aside>`}
<header class="site">
<nav aria-label="Site"><a class="home" href="/">Local forge</a> <a href="/deliveries">Deliveries</a>${also === undefined ? '' : html` <a href="${also.path}">${also.name}</a>`}</nav>
${c.get('csrf') === '' ? '' : html`<span class="actor">acting as <b>${c.get('actor')}</b></span>`}
<noscript><a href="">Reload</a></noscript>
</header>
<main id="main">
${body}
</main>
<p class="unseen" id="renewed" role="status"></p>
</body>
</html>`,
    status,
  );
}

/** The line with a repository's name and its places; `here` is the place being shown. */
export function repositoryBar(
  repository: string,
  here: 'Code' | 'Issues' | 'Pull requests' | 'Actions',
): Html {
  const places = [
    ['Code', ''],
    ['Issues', '/issues'],
    ['Pull requests', '/pulls'],
    ['Actions', '/actions'],
  ] as const;
  return html`<div class="repository-bar"><a class="name" href="/${repository}">${repository}</a>
<nav aria-label="Repository">${places.map(
    ([name, path]) =>
      html`<a href="/${repository}${path}"${name === here ? html` aria-current="page"` : ''}>${name}</a> `,
  )}</nav></div>`;
}

/** A form that sends to this site, with the session's token in it. */
export function form(c: Context, action: string, content: Html, kind = ''): Html {
  return html`<form method="post" action="${action}" class="${kind}"><input type="hidden" name="csrf" value="${c.get('csrf')}">${content}</form>`;
}

/** A date and time as people read it, in UTC. */
export function when(iso: string | null): Html {
  if (iso === null) return html``;
  return html`<time datetime="${iso}" title="${iso}">${iso.replace('T', ' ').slice(0, 16)}</time>`;
}

/** A label with its colour; as an SVG attribute, since the policy allows no inline style. */
export function label({ name, color }: { name: string; color: string | null }): Html {
  const fill = /^[0-9a-f]{6}$/i.test(color ?? '') ? `#${color}` : '#8b949e';
  return html`<span class="label"><svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill="${fill}"/></svg>${name}</span>`;
}

/** Badge of a check, a job or a run: its conclusion, or its status until it has one. */
export const outcomeBadge = (outcome: string): Html =>
  html`<span class="outcome ${outcome}">${outcome.replaceAll('_', ' ')}</span>`;

export type State = 'open' | 'closed' | 'draft' | 'merged';

/** Of an issue; a pull request has the last two as well. */
export interface Standing {
  state: 'open' | 'closed';
  draft?: boolean;
  pull_request?: { merged_at: string | null };
}

export function stateOf({ state, draft, pull_request }: Standing): State {
  if (pull_request?.merged_at) return 'merged';
  return state === 'open' && draft ? 'draft' : state;
}

export function stateBadge(state: State): Html {
  return html`<span class="state ${state}">${state}</span>`;
}

/** Links to the pages before and after this one of a long list; `path` may have a query. */
export function pager(
  path: string,
  number: number,
  more: boolean,
  [before, after]: readonly [string, string] = ['Newer', 'Older'],
): Html {
  const to = (page: number) => `${path}${path.includes('?') ? '&' : '?'}page=${page}`;
  if (number === 1 && !more) return html``;
  return html`<nav class="pager" aria-label="Pages">${number > 1 ? html`<a href="${to(number - 1)}">${before}</a>` : ''} <span>page ${number}</span> ${more ? html`<a href="${to(number + 1)}">${after}</a>` : ''}</nav>`;
}
