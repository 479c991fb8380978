// A unified diff of one file as a table with line numbers, its code in colours.
import { html, raw } from 'hono/html';
import type { Html } from './layout.ts';
import { colouredLines } from './markdown/colours.ts';

/**
 * Characters of patches on one page. Each line costs `ofLine` more for its markup. With the conversation the
 * page then has about 300 KB.
 */
export const roomOfPage = 160_000;
const ofLine = 50;

export interface ChangedFile {
  filename: string;
  previous_filename?: string | undefined;
  status: string;
  additions: number;
  deletions: number;
  /** Unified diff without the file headers; missing for binary and very large files. */
  patch?: string | undefined;
}

interface Shown {
  /** Stands over its changes. */
  above: Html;
  /** Stands under them. */
  below?: Html;
  /** For how much of them. */
  room: number;
  /** URL of the full diff, if there is one. */
  whole?: string;
}

export function fileDiff(file: ChangedFile, { above, below, room, whole }: Shown): Html {
  const name =
    file.previous_filename === undefined ? file.filename : `${file.previous_filename} → ${file.filename}`;
  const { lines, left } = cutTo(file.patch ?? '', room);
  const rest = html`<p class="quiet pad">${left} ${lines.length > 0 ? 'more ' : ''}lines are not shown here.${whole === undefined ? '' : html` <a href="${whole}">Show the whole file</a>`}</p>`;
  return html`<details class="file" open id="${anchorOf(file.filename)}">
<summary><code>${name}</code> <span class="count"><ins>+${file.additions}</ins> <del>−${file.deletions}</del></span> <span class="quiet">${file.status}</span></summary>
<p class="pad over">${above}</p>
${file.patch === undefined ? html`<p class="quiet pad">No text to show: a binary, empty or very large file.</p>` : html`${lines.length > 0 ? table(lines, file.filename) : ''}${left > 0 ? rest : ''}${lines.length > 0 ? (below ?? '') : ''}`}
</details>`;
}

/** As much of each file as there is room for on one page. */
export function fileDiffs<File extends ChangedFile>(
  files: readonly File[],
  shownOf: (file: File) => Omit<Shown, 'room'>,
): Html[] {
  let left = roomOfPage;
  return files.map(file => {
    const room = left;
    const { patch = '' } = file;
    // Its whole patch takes that much.
    left = Math.max(0, left - patch.length - ofLine * patch.split('\n').length);
    return fileDiff(file, { ...shownOf(file), room });
  });
}

export function anchorOf(filename: string): string {
  return `file-${encodeURIComponent(filename)}`;
}

/** The lines that there is room for, and how many are left. */
function cutTo(patch: string, room: number): { lines: string[]; left: number } {
  const all = patch.split('\n');
  let taken = 0;
  const end = all.findIndex(line => (taken += line.length + ofLine) > room);
  const lines = end < 0 ? all : all.slice(0, end);
  return { lines, left: all.length - lines.length };
}

interface Row {
  kind: '' | 'add' | 'del' | 'hunk' | 'note';
  before?: number;
  after?: number;
  /** Its mark, and the line without it. */
  mark: string;
  text: string;
}

/** `start`: of lines without the header of a hunk, the number of the first on both sides. */
function* rowsOf(lines: readonly string[], start = 0): Generator<Row> {
  let [before, after] = [start, start];
  for (const line of lines) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    const [mark, text] = [line.slice(0, 1), line.slice(1)];
    if (hunk !== null) {
      [before, after] = [Number(hunk[1]), Number(hunk[2])];
      yield { kind: 'hunk', mark: '', text: line };
    } else if (mark === '+') yield { kind: 'add', after: after++, mark, text };
    else if (mark === '-') yield { kind: 'del', before: before++, mark, text };
    else if (mark === '\\') yield { kind: 'note', mark, text };
    else yield { kind: '', before: before++, after: after++, mark, text };
  }
}

/** Lines of a file that are replaced, the first of them `start`, with what comes in their place. */
export const changeTable = (
  before: readonly string[],
  after: readonly string[],
  { file, start }: { file: string; start: number },
): Promise<Html> => table([...before.map(line => `-${line}`), ...after.map(line => `+${line}`)], file, start);

async function table(lines: readonly string[], file: string, start?: number): Promise<Html> {
  const rows = [...rowsOf(lines, start)];
  // Each side is code of its own; a line of both is taken from the newer one.
  const side = async (kind: 'add' | 'del') => {
    const own = rows.filter(row => row.kind === kind || row.kind === '');
    const coloured = await colouredLines(own.map(({ text }) => text).join('\n'), file);
    return new Map(own.map((row, at) => [row, coloured[at] ?? '']));
  };
  const coloured = new Map([...(await side('del')), ...(await side('add'))]);
  const drawn = rows.map(row => {
    const { kind, before, after, mark, text } = row;
    return html`<tr class="${kind}"><td>${before}</td><td>${after}</td><td><code>${mark}${raw(coloured.get(row) ?? '')}${coloured.has(row) ? '' : text}</code></td></tr>`;
  });
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Changes"><table class="diff"><tbody>${drawn}</tbody></table></div>`;
}
