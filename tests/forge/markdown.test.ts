// The pages' Markdown as a table: what an author writes, what the page holds.
import { describe, expect, test } from 'vitest';
import { markdown } from '../../src/forge/pages/markdown.ts';

const rel = 'rel="nofollow noopener noreferrer"';
const cases: [what: string, text: string, html: string][] = [
  ['HTML is text', 'a <script>alert(1)</script> b', '<p>a &lt;script&gt;alert(1)&lt;/script&gt; b</p>'],
  ['an attribute cannot be left', '`" onmouseover="x`', '<p><code>&quot; onmouseover=&quot;x</code></p>'],
  ['a comment on a line of its own', '<!-- hidden -->\nshown', '<p>shown</p>'],
  ['a comment in a sentence', 'one <!-- hidden --> two', '<p>one  two</p>'],
  ['a comment over empty lines', 'one\n<!-- a\n\nb -->\ntwo', '<p>one</p><p>two</p>'],
  ['text after a comment', '<!-- a --> *two*', '<p><em>two</em></p>'],
  ['a comment that never ends', 'one\n\n<!-- a\n\nb', '<p>one</p>'],
  ['a comment in a quote', '> <!-- a -->\n> b', '<blockquote><p>b</p></blockquote>'],
  ['a comment in code is shown', '`<!-- a -->`', '<p><code>&lt;!-- a --&gt;</code></p>'],
  [
    'a comment in a code block is shown',
    '```html\n<!-- a -->\n```',
    '<pre><code class="language-html">&lt;!-- a --&gt;</code></pre>',
  ],
  [
    'a Mermaid graph is shown as code',
    '```mermaid\ngraph TD; A-->B\n```',
    '<pre><code class="language-mermaid">graph TD; A--&gt;B</code></pre>',
  ],
  [
    'a fold',
    '<details><summary>record, <b>part</b> 1</summary>\n\nbody\n\n</details>',
    '<details><summary>record, <strong>part</strong> 1</summary><p>body</p></details>',
  ],
  ['small text', '<sub>part of **one**</sub> and', '<p><sub>part of <strong>one</strong></sub> and</p>'],
  ['a stray end of small text is text', 'a</sub>', '<p>a&lt;/sub&gt;</p>'],
  ['small text that never ends is text', '<sub>a', '<p>&lt;sub&gt;a</p>'],
  ['small text holds no HTML', '<sub><b>a</b></sub>', '<p><sub>&lt;b&gt;a&lt;/b&gt;</sub></p>'],
  ['a stray end of a fold is text', 'a\n\n</details>', '<p>a</p><p>&lt;/details&gt;</p>'],
  ['a fold in a list is text', '- <details>', '<ul><li>&lt;details&gt;</li></ul>'],
  ['a script address is no link', '[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>'],
  ['an image is a link', '![x](https://a.test/y.png)', `<p><a href="https://a.test/y.png" ${rel}>x</a></p>`],
  ['a number is a link', 'see #12.', `<p>see <a href="/o/r/issues/12" ${rel}>#12</a>.</p>`],
  ['a number in a word is none', 'a#12 and &#49;', '<p>a#12 and 1</p>'],
  ['a bare name of a file is no link', 'run setup.sh', '<p>run setup.sh</p>'],
];

describe('markdown', () => {
  test.each(cases)('%s', (_what, text, html) => {
    expect(markdown(text, 'o/r').toString().replaceAll('\n', '')).toBe(`<div class="markdown">${html}</div>`);
  });
});
