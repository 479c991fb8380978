// What forms have in which a text is written.
import { html } from 'hono/html';
import type { Html } from '../layout.ts';
import type { CommandHelp } from './command-help.ts';

/** Sends a form to the address that answers with the same form, its text kept and shown as it will look. */
export const previewButton = (to: string, kind = ''): Html =>
  html`<button class="${kind}" formaction="${to}" formnovalidate data-preview>Preview</button>`;

/** Where a form shows how its text will look: not asked for yet. */
export const noPreview: Html = html`<div class="preview"></div>`;

/** The commands that a comment may hold. */
export function commandList(commands: readonly CommandHelp[]): Html {
  if (commands.length === 0) return html``;
  return html`<details class="commands"><summary>Commands, each a line of its own</summary><dl>${commands.map(
    ({ usage, what }) => html`<dt><code>${usage}</code></dt><dd>${what}</dd>`,
  )}</dl></details>`;
}
