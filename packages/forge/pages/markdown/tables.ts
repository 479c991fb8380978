// Each cell of a table knows the title of its column: on a phone a row is shown as a list of them.
import type { MarkdownIt } from 'markdown-it';

/** A plugin of markdown-it. */
export function labelCells(md: MarkdownIt): void {
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
