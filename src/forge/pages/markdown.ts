// Markdown of issues and comments as HTML. The text is hostile: no HTML of its author's gets through.
import { raw } from 'hono/html';
import MarkdownIt, { type StateBlock, type StateInline } from 'markdown-it';

/** What a page may insert without escaping it again. */
export type SafeHtml = ReturnType<typeof raw>;

/** Renders hostile Markdown; `#12` links to `/<repository>/issues/12`. */
export function markdown(text: string, repository: string): SafeHtml {
  return raw(`<div class="markdown">${renderer.render(text, { repository })}</div>`);
}

const renderer = new MarkdownIt('default', { html: false, linkify: true });
// A bare `example.com` is more often a file's name (`config.sh`) than a link.
renderer.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
renderer.block.ruler.before('paragraph', 'comment', commentBlock, {
  alt: ['paragraph', 'blockquote', 'list'],
});
renderer.block.ruler.before('paragraph', 'details', detailsBlock, {
  alt: ['paragraph', 'blockquote', 'list'],
});
renderer.inline.ruler.before('text', 'comment', commentInline);
renderer.inline.ruler.before('text', 'reference', reference);
renderer.inline.ruler.before('text', 'small', small);
renderer.renderer.rules['link_open'] = (tokens, at, options, _env, self) => {
  tokens[at]?.attrSet('rel', 'nofollow noopener noreferrer');
  return self.renderToken(tokens, at, options);
};
// A page loads nothing from elsewhere: an image becomes a link to it.
renderer.renderer.rules['image'] = (tokens, at) => {
  const source = renderer.utils.escapeHtml(String(tokens[at]?.attrGet('src') ?? ''));
  const label = renderer.utils.escapeHtml(tokens[at]?.content || 'image');
  return `<a href="${source}" rel="nofollow noopener noreferrer">${label}</a>`;
};

/** An HTML comment that begins a line shows nothing; one that never ends hides the rest, as in HTML. */
function commentBlock(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  const first = lineOf(state, start);
  if (!first.startsWith('<!--') || indented(state, start)) return false;
  if (silent) return true;
  let line = start;
  let rest = first.slice('<!--'.length);
  while (!rest.includes('-->') && line + 1 < end) rest = lineOf(state, ++line);
  const after = rest.includes('-->') ? rest.slice(rest.indexOf('-->') + '-->'.length).trim() : '';
  if (after !== '') paragraph(state, after, line);
  state.line = line + 1;
  return true;
}

function paragraph(state: StateBlock, content: string, line: number): void {
  state.push('paragraph_open', 'p', 1);
  const inline = state.push('inline', '', 0);
  inline.content = content;
  inline.map = [line, line + 1];
  inline.children = [];
  state.push('paragraph_close', 'p', -1);
}

/**
 * The one piece of HTML over lines that is honoured: lines of `<details>`, `<summary>text</summary>`, `</details>`, outside
 * lists and quotes. Open ones are counted, so that a stray end tag cannot close an element of the page.
 */
function detailsBlock(state: StateBlock, start: number, _end: number, silent: boolean): boolean {
  const parts = /^(<details( open)?>)?\s*(<summary>(.*?)<\/summary>)?\s*(<\/details>)?$/.exec(
    lineOf(state, start).trim(),
  );
  const [, begin, open, summary, text = '', close] = parts ?? [];
  if ((begin ?? summary ?? close) === undefined || indented(state, start)) return false;
  let opened = Number(state.env['opened'] ?? 0);
  if (state.level !== opened || (begin === undefined && opened === 0)) return false;
  if (silent) return true;
  if (begin !== undefined) {
    opened++;
    const token = state.push('details_open', 'details', 1);
    if (open !== undefined) token.attrSet('open', '');
  }
  if (summary !== undefined) {
    state.push('summary_open', 'summary', 1);
    const inline = state.push('inline', '', 0);
    inline.content = text.replace(/<\/?(b|strong)>/g, '**');
    inline.children = [];
    state.push('summary_close', 'summary', -1);
  }
  if (close !== undefined) {
    opened--;
    state.push('details_close', 'details', -1);
  }
  state.env['opened'] = opened;
  state.line = start + 1;
  return true;
}

function commentInline(state: StateInline): boolean {
  if (!state.src.startsWith('<!--', state.pos)) return false;
  const end = state.src.indexOf('-->', state.pos + '<!--'.length);
  if (end < 0) return false;
  state.pos = end + '-->'.length;
  return true;
}

/** `<sub>text</sub>`, with both its tags in one text. */
function small(state: StateInline, silent: boolean): boolean {
  const inner = /^<sub>(.*?)<\/sub>/s.exec(state.src.slice(state.pos, state.posMax))?.[1];
  if (inner === undefined) return false;
  const { posMax } = state;
  const begin = state.pos + '<sub>'.length;
  if (!silent) {
    state.push('sub_open', 'sub', 1);
    state.pos = begin;
    state.posMax = begin + inner.length;
    state.md.inline.tokenize(state);
    state.push('sub_close', 'sub', -1);
  }
  state.posMax = posMax;
  state.pos = begin + inner.length + '</sub>'.length;
  return true;
}

function reference(state: StateInline, silent: boolean): boolean {
  const found = /^#(\d{1,9})(?!\w)/.exec(state.src.slice(state.pos, state.pos + 11));
  if (found === null || /[\w/&]/.test(state.src[state.pos - 1] ?? ' ') || state.linkLevel > 0) return false;
  if (!silent) {
    const link = state.push('link_open', 'a', 1);
    link.attrSet('href', `/${state.env['repository']}/issues/${found[1]}`);
    state.push('text', '', 0).content = found[0];
    state.push('link_close', 'a', -1);
  }
  state.pos += found[0].length;
  return true;
}

function lineOf(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
}

/** Four columns or more: an indented code block, which is shown as it is. */
function indented(state: StateBlock, line: number): boolean {
  return (state.sCount[line] ?? 0) - state.blkIndent >= 4;
}
