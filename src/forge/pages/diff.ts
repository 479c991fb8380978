// A unified diff of one file as a table with line numbers and colours.
import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** Longer patches are cut here; the page says so. */
const linesAtMost = 2000;

export interface ChangedFile {
  filename: string;
  previous_filename?: string | undefined;
  status: string;
  additions: number;
  deletions: number;
  /** Unified diff without the file headers; missing for binary and very large files. */
  patch?: string | undefined;
}

export function fileDiff(file: ChangedFile): Html {
  const name =
    file.previous_filename === undefined ? file.filename : `${file.previous_filename} → ${file.filename}`;
  return html`<details class="file" open id="${anchorOf(file.filename)}">
<summary><code>${name}</code> <span class="count"><ins>+${file.additions}</ins> <del>−${file.deletions}</del></span> <span class="quiet">${file.status}</span></summary>
${file.patch === undefined ? html`<p class="quiet pad">No text to show: a binary, empty or very large file.</p>` : table(file.patch)}
</details>`;
}

export function anchorOf(filename: string): string {
  return `file-${encodeURIComponent(filename)}`;
}

function table(patch: string): Html {
  const lines = patch.split('\n');
  let [before, after] = [0, 0];
  const rows = lines.slice(0, linesAtMost).map(line => {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (hunk !== null) {
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      return html`<tr class="hunk"><td></td><td></td><td><code>${line}</code></td></tr>`;
    }
    if (line.startsWith('+')) return row('add', undefined, after++, line);
    if (line.startsWith('-')) return row('del', before++, undefined, line);
    if (line.startsWith('\\')) return row('note', undefined, undefined, line);
    return row('', before++, after++, line);
  });
  const cut = lines.length - rows.length;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Changes"><table class="diff"><tbody>${rows}</tbody></table></div>
${cut > 0 ? html`<p class="quiet pad">${cut} more lines are not shown.</p>` : ''}`;
}

function row(kind: string, before: number | undefined, after: number | undefined, line: string): Html {
  return html`<tr class="${kind}"><td>${before}</td><td>${after}</td><td><code>${line}</code></td></tr>`;
}
