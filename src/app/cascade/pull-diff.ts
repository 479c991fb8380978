// The diff of a pull request as the reviewer reads it, every line with its number, and which lines may be commented on.
import type { ChangedFile } from '../github/pulls.ts';

/** Characters of a diff that are shown. */
const MAX_DIFF = 120_000;

interface DiffLine {
  /** In the file as the pull request leaves it; undefined: it is not there any more, or is no line of a file. */
  line: number | undefined;
  text: string;
}

/** Lines of GitHub's `patch`, which begins with the first hunk. */
function linesOf({ patch = '' }: ChangedFile): DiffLine[] {
  let next = 0;
  return patch.split('\n').map(text => {
    const head = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(text);
    if (head) next = Number(head[1]);
    if (head || !/^[ +]/.test(text)) return { line: undefined, text };
    return { line: next++, text };
  });
}

/** GitHub refuses a whole review for one comment on a line that the diff has not. */
export function diffHas(files: readonly ChangedFile[], { path, line }: { path: string; line: number }) {
  const file = files.find(each => each.path === path);
  return file !== undefined && linesOf(file).some(each => each.line === line);
}

/** As much of the diff as fits, file by file, and what is not shown. `more`: there are files beyond these. */
export function shownDiff(files: readonly ChangedFile[], more: boolean): { diff: string; left: string } {
  const shown: string[] = [];
  const left: string[] = [];
  let room = MAX_DIFF;
  for (const file of files) {
    const head = `=== ${JSON.stringify(file.path)} (${file.status})`;
    const rows = linesOf(file).map(({ line, text }) => `${String(line ?? '').padStart(6)} ${text}`);
    const whole = [head, ...rows].join('\n');
    if (file.patch === undefined || whole.length > room) left.push(head);
    else {
      shown.push(whole);
      room -= whole.length;
    }
  }
  if (more) left.push('and more files');
  return { diff: shown.join('\n\n'), left: left.join('\n') };
}
