// Help for text forms: the list of commands, and the preview.
import { html } from 'hono/html';
import { type Html, show, type CommandHelp } from './layout.ts';
import type { Hono } from 'hono';
import { type Api, Refusal, field, repositoryOf } from './api.ts';
import { markdown } from './markdown/markdown.ts';
import { issuesNamed } from './markdown/reference.ts';

/** Sends a form to the address that answers with the same form, its text kept and shown as it will look. */
export const previewButton = (to: string, kind = ''): Html =>
  html`<button class="${kind}" formaction="${to}" formnovalidate data-preview>Preview</button>`;

/** Empty preview, shown until one is requested. */
export const noPreview: Html = html`<div class="preview"></div>`;

/** The commands that a comment may hold. */
export function commandList(commands: readonly CommandHelp[]): Html {
  if (commands.length === 0) return html``;
  return html`<details class="commands"><summary>Commands, each a line of its own</summary><dl>${commands.map(
    ({ usage, what }) => html`<dt><code>${usage}</code></dt><dd>${what}</dd>`,
  )}</dl></details>`;
}

/** Characters that the API takes. */
const longestText = 65_536;

/** In the place of `noPreview`. Throws Refusal 422 for a text that could not be sent. */
export async function preview(api: Api, repository: string, text: string): Promise<Html> {
  if (text.length > longestText) throw new Refusal(422, `A text has at most ${longestText} characters.`);
  const where = { repository, anchor: 'preview', known: await issuesNamed(api, repository, [text]) };
  const shown = text.trim() === '' ? html`<p class="quiet">No text.</p>` : markdown(text, where);
  return html`<div class="preview"><section id="preview" aria-label="Preview"><h3>Preview</h3>${shown}</section></div>`;
}

/** The preview of a small form that stands among many: on a page of its own, from where the browser leads back. */
export function previewPages(app: Hono, api: Api) {
  app.post('/:owner/:repo/preview', async c => {
    const repository = repositoryOf(c);
    return show(
      c,
      `Preview · ${repository}`,
      html`<h1>Preview</h1>
${await preview(api, repository, await field(c, 'body'))}
<p class="quiet">Nothing was sent. Go back in the browser to send it, or to change it.</p>`,
    );
  });
}
