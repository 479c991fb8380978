// Markdown of issues, comments and files as GitHub shows it. The text is hostile: HTML of its author's passes GitHub's
// own list of elements (`sanitize.ts`), and nothing that a page would run or load from elsewhere.
import { raw } from 'hono/html';
import MarkdownIt, { type MarkdownIt as Renderer } from 'markdown-it';
import footnotes from 'markdown-it-footnote';
import alerts from 'markdown-it-github-alerts';
import taskLists from 'markdown-it-task-lists';
import { colouredCode, loadGrammars } from './colours.ts';
import { kept } from '../../kept.ts';
import { type Known, reference } from './reference.ts';
import { sanitized } from './sanitize.ts';

/** A plugin of markdown-it. */
function labelCells(md: Renderer): void {
  md.core.ruler.after('inline', 'label-cells', ({ tokens }) => {
    let titles: string[] = [];
    let column = 0;
    for (const [at, token] of tokens.entries()) {
      if (token.type === 'table_open') titles = [];
      else if (token.type === 'tr_open') column = 0;
      else if (token.type === 'th_open') {
        token.attrSet('scope', 'col');
        titles.push(plain(tokens[at + 1]?.children ?? []));
      } else if (token.type === 'td_open') token.attrSet('data-label', titles[column++] ?? '');
    }
  });
}

const plain = (children: readonly { type: string; content: string }[]): string =>
  children
    .filter(({ type }) => type === 'text' || type === 'code_inline')
    .map(({ content }) => content)
    .join('')
    .trim();

/** HTML that a page may insert without escaping it again. */
export type SafeHtml = ReturnType<typeof raw>;

export interface Place {
  /** `owner/name`, to which `#12` leads. */
  repository: string;
  /** Tells footnotes of several texts on one page apart. */
  anchor: string;
  /** Of a text in a repository: where it stands, and the address of the top, to which its own addresses are relative. */
  file?: { top: string; path: string };
  /** Issues and pull requests whose titles and states are shown with their numbers. */
  known?: Known;
}

/** Renders hostile Markdown. Of one text and place it is made once. */
export async function markdown(text: string, place: Place): Promise<SafeHtml> {
  const known = [...(place.known ?? [])].filter(([number]) => text.includes(`#${number}`));
  const key = JSON.stringify([place.repository, place.anchor, place.file, known, text]);
  const html = made.get(key) ?? made.set(key, await render(text, place));
  return raw(`<div class="markdown">${html}</div>`);
}

/** Characters of texts that are kept with what they became. */
const made = kept(8_000_000);

/** Characters. */
const longestAddress = 2_000;

const renderer = new MarkdownIt({ html: true, linkify: true, highlight: colouredCode })
  .use(footnotes)
  .use(alerts, { icons: {}, titles: {} })
  .use(taskLists)
  .use(labelCells);
// A bare `example.com` is more often a file's name (`config.sh`) than a link.
renderer.linkify.set({ fuzzyLink: false, fuzzyEmail: true });
renderer.linkify.add('www.', {
  // As far as an address of the web goes.
  validate: (text, at, linkify) =>
    Math.max(
      0,
      linkify.testSchemaAt(`//www.${text.slice(at, at + longestAddress)}`, 'http:', 0) - '//www.'.length,
    ),
  normalize: match => {
    match.url = `http://${match.url}`;
  },
});
renderer.renderer.rules['s_open'] = () => '<del>';
renderer.renderer.rules['s_close'] = () => '</del>';
renderer.inline.ruler.before('text', 'reference', reference);

async function render(text: string, { repository, anchor, known, file }: Place): Promise<string> {
  await loadGrammars(text);
  // Well-formed from here on: what looks like a tag is one.
  const html = sanitized(
    renderer.render(text, { repository, known, docId: anchor }),
    file && relativeTo(file),
  )
    .replace(/<pre(?=[ >])/g, '<pre tabindex="0"')
    .replace(/<table(?=[ >])/g, '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table')
    .replaceAll('</table>', '</table></div>');
  if (!html.includes(' class="language-mermaid"')) return html;
  // Large, and few texts have one.
  const { diagram } = await import('./diagram.ts');
  return html.replace(
    /<pre tabindex="0"><code class="language-mermaid">([^<]*)<\/code><\/pre>/g,
    (shown, code: string) => diagram(code) ?? shown,
  );
}

/** Addresses of other files, as they stand in this one; those of other sites stay. */
const relativeTo =
  ({ top, path }: { top: string; path: string }) =>
  (address: string): string => {
    const here = new URL(path.split('/').map(encodeURIComponent).join('/'), 'http://file/');
    if (/^[a-z][\w+.-]*:/i.test(address) || !URL.canParse(address, here.href)) return address;
    const { origin, pathname, search, hash } = new URL(address, here);
    return origin === here.origin ? `${top}${pathname}${search}${hash}` : address;
  };
