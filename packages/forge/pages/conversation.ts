// Shared by the pages of issues and pull requests: people, labels, comments with reactions, and their forms.
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { commentJson, issueJson, labelJson } from '../issues/issue-json.ts';
import type { Api } from './api.ts';
import { form, type Html, label, type Standing, type State, when } from './layout.ts';
import { markdown, type Place } from './markdown/markdown.ts';
import { commandList, previewButton } from './forms.ts';

export type Person = { login: string } | null;
export type Label = ReturnType<typeof labelJson>;
export type Comment = ReturnType<typeof commentJson>;
/** An issue, or a pull request. */
export type Issue = ReturnType<typeof issueJson> & Standing;

export function author(person: Person): Html {
  return html`<b>${person?.login ?? 'ghost'}</b>`;
}

/** The names of a repository's labels, for the suggestions of a form. */
export async function labelNames(api: Api, repository: string): Promise<string[]> {
  return (await api.all<Label>(`/repos/${repository}/labels`)).items.map(({ name }) => name);
}

export interface Said {
  anchor: string;
  user: Person;
  /** Verb phrase for the header: "opened this", "commented". */
  did: string;
  created_at: string;
  updated_at?: string | undefined;
  body?: string | null | undefined;
  reactions?: Record<string, unknown> | undefined;
  /** Shown below the text: the comments of a review, say. */
  more?: Html | undefined;
}

/** One thing somebody said, as a card that can be linked to. */
export function card(where: Omit<Place, 'anchor'>, said: Said): Html {
  const edited = said.updated_at !== undefined && said.updated_at !== said.created_at;
  const text = said.body?.trim();
  return html`<article class="card" id="${said.anchor}">
<h2>${author(said.user)} ${said.did} <a class="quiet" href="#${said.anchor}">${when(said.created_at)}</a>${edited ? html` <span class="quiet">edited</span>` : ''}</h2>
${text ? markdown(text, { ...where, anchor: said.anchor }) : said.more === undefined ? html`<p class="quiet pad">No text.</p>` : ''}
${reactions(said.reactions)}${said.more ?? ''}
</article>`;
}

/** GitHub's names of reactions; the rollup has other members besides. */
const reactionNames = ['+1', '-1', 'laugh', 'confused', 'heart', 'hooray', 'rocket', 'eyes'];

function reactions(counts: Record<string, unknown> = {}): Html {
  const given = reactionNames.filter(name => Number(counts[name] ?? 0) > 0);
  if (given.length === 0) return html``;
  return html`<ul class="reactions" aria-label="Reactions">${given.map(
    name => html`<li>${name} <b>${String(counts[name])}</b></li>`,
  )}</ul>`;
}

/** The labels of an issue with forms to take one off and to put one on. */
export function labelBox(c: Context, path: string, labels: Label[], known: string[]): Html {
  return html`<section><h2>Labels</h2>
${labels.length === 0 ? html`<p class="quiet">None yet</p>` : ''}
<ul class="plain">${labels.map(
    each =>
      html`<li class="row">${label(each)} ${form(c, `${path}/labels/remove`, html`<input type="hidden" name="label" value="${each.name}"><button class="small" title="Remove ${each.name}">remove</button>`)}</li>`,
  )}</ul>
${form(
  c,
  `${path}/labels`,
  html`<input name="label" list="labels" required maxlength="50" placeholder="Label" aria-label="Label to add" autocomplete="off"><datalist id="labels">${known.map(name => html`<option value="${name}"></option>`)}</datalist><button class="small">Add</button>`,
  'row',
)}</section>`;
}

/** The form to comment, and to close or reopen in the same step. `shown`: where its preview stands. */
export function commentForm(
  c: Context,
  path: string,
  { state, what, shown, text = '' }: { state: State; what: string; shown: Html; text?: string },
): Html {
  const commands = c.get('commands');
  const turn = state === 'closed' ? ['reopen', `Reopen ${what}`] : ['close', `Close ${what}`];
  return html`<section class="card"><h2><label for="body">Add a comment</label></h2>${form(
    c,
    `${path}/comments`,
    html`<textarea id="body" name="body" rows="6" maxlength="65536" placeholder="Markdown${commands.length === 0 ? '' : '; commands such as /approve at the start of a line'}">
${text}</textarea>
${shown}
<p class="buttons">${previewButton(`${path}/preview`)} ${state === 'merged' ? '' : html`<button name="turn" value="${turn[0]}">${turn[1]}</button>`} <button class="primary" name="turn" value="">Comment</button></p>
${commandList(commands)}`,
    'pad',
  )}</section>`;
}
