// The pages' Markdown as tables: what an author writes, what the page holds; and beside GitHub's own parser.
import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, test, vi } from 'vitest';
import { markdown } from '../../packages/forge/pages/markdown/markdown.ts';
import { mermaidSvg } from '../../packages/forge/pages/markdown/diagram.ts';

const rel = 'rel="nofollow noopener noreferrer"';
const known = new Map([
  [12, { title: 'A "title" <b>', state: 'open' }],
  [13, { title: 'Done', state: 'merged' }],
]);
const place = { repository: 'o/r', anchor: 'c1', known };

/** The page's HTML, without line ends. */
async function shown(text: string): Promise<string> {
  const html = (await markdown(text, place)).toString().replaceAll('\n', '');
  return /^<div class="markdown">(.*)<\/div>$/s.exec(html)?.[1] ?? html;
}

const safe: [what: string, text: string, html: string][] = [
  ['a script and what is in it', 'a <script>alert(1)</script> b', '<p>a  b</p>'],
  ['a script over lines', '<script>\nalert(1)\n</script>\n\nb', '<p>b</p>'],
  ['an attribute cannot be left', '`" onmouseover="x`', '<p><code>" onmouseover="x</code></p>'],
  ['an event', '<b onclick="x()">a</b>', '<p><b>a</b></p>'],
  ['a style', '<p style="position:fixed">a</p>', '<p>a</p>'],
  ['a style sheet', '<style>body{display:none}</style>a', 'a'],
  ['a frame', '<iframe src="https://a.test"></iframe>', ''],
  ['a form', '<form action="/x"><button>a</button></form>', 'a'],
  ['a field', '<input name="csrf" value="x">', ''],
  ['an end of the page', 'a</div></main></body>\n\nb', '<p>a</p><p>b</p>'],
  [
    'a fold that never ends',
    '<details><summary>a</summary>\n\nb',
    '<details><summary>a</summary><p>b</p></details>',
  ],
  [
    'a table of its own, which could close what is around it',
    '<table align="center" title="a > b"><tr><td>x</td></tr></table>',
    '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table align="center" title="a &gt; b"><tr><td>x</td></tr></table></div>',
  ],
  ['code with an attribute', '<pre lang="js">a</pre>', '<pre tabindex="0" lang="js">a</pre>'],
  ['a class of the page', '<div class="banner">a</div>', '<div>a</div>'],
  ['an id of the page', '<p id="main">a</p>', '<p id="user-content-main">a</p>'],
  ['a script address', '[a](javascript:alert(1))', '<p>[a](javascript:alert(1))</p>'],
  ['a script address as HTML', '<a href="javascript:alert(1)">a</a>', `<p><a ${rel}>a</a></p>`],
  ['a script address with a tab', '<a href="java&#9;script:alert(1)">a</a>', `<p><a ${rel}>a</a></p>`],
  ['a text that runs as data', '<a href="data:text/html,x">a</a>', `<p><a ${rel}>a</a></p>`],
  ['an address without a scheme', '<a href="//a.test">a</a>', `<p><a ${rel}>a</a></p>`],
  ['an SVG', '<svg onload="x()"><script>1</script></svg>a', '<p>a</p>'],
  [
    'a picture of elsewhere',
    '![x](https://a.test/y.png)',
    `<p><a href="https://a.test/y.png" ${rel}>x</a></p>`,
  ],
  [
    'one as HTML',
    '<img src="https://a.test/y.png" onerror="x()">',
    `<a href="https://a.test/y.png" ${rel}>image</a>`,
  ],
];

const github: [what: string, text: string, html: string][] = [
  ['a comment on a line of its own', '<!-- hidden -->\nshown', '<p>shown</p>'],
  ['a comment in a sentence', 'one <!-- hidden --> two', '<p>one  two</p>'],
  ['a comment in code is shown', '`<!-- a -->`', '<p><code>&lt;!-- a --&gt;</code></p>'],
  [
    'a fold',
    '<details><summary>record, <b>part</b> 1</summary>\n\n*body*\n\n</details>',
    '<details><summary>record, <b>part</b> 1</summary><p><em>body</em></p></details>',
  ],
  ['small text', '<sub>part of **one**</sub> and', '<p><sub>part of <strong>one</strong></sub> and</p>'],
  ['a key', 'press <kbd>Tab</kbd>', '<p>press <kbd>Tab</kbd></p>'],
  [
    'a task list',
    '- [x] a\n- [ ] b',
    '<ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" disabled aria-label="Done" checked /> a</li><li class="task-list-item"><input type="checkbox" disabled aria-label="To do" /> b</li></ul>',
  ],
  [
    'an alert',
    '> [!WARNING]\n> look',
    '<div class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title">Warning</p><p>look</p></div>',
  ],
  [
    'a table that scrolls in its box and can be read as a list',
    '| a | `b` |\n|---|---|\n| 1 | 2 |',
    '<div class="scroll" tabindex="0" role="region" aria-label="Table"><table><thead><tr><th scope="col">a</th><th scope="col"><code>b</code></th></tr></thead><tbody><tr><td data-label="a">1</td><td data-label="b">2</td></tr></tbody></table></div>',
  ],
  [
    'code in colours',
    '```ts\nconst a = 1;\n```',
    '<pre tabindex="0"><code class="language-ts"><span class="k-keyword">const</span> <span class="k-constant">a</span> <span class="k-keyword">=</span> <span class="k-constant">1</span>;</code></pre>',
  ],
  [
    'code of no known language',
    '```qqq\n<a>\n```',
    '<pre tabindex="0"><code class="language-qqq">&lt;a&gt;</code></pre>',
  ],
  [
    'a number with what it names',
    'see #12.',
    `<p>see <a href="/o/r/issues/12" title="open: A &quot;title&quot; &lt;b&gt;" class="issue-open" ${rel}>#12</a>.</p>`,
  ],
  ['a number of nothing known', 'see #99', `<p>see <a href="/o/r/issues/99" ${rel}>#99</a></p>`],
  ['a number in a word is none', 'a#12 and &#49;', '<p>a#12 and 1</p>'],
  ['a number in code is none', '`#12`', '<p><code>#12</code></p>'],
  ['a bare name of a file is no link', 'run setup.sh', '<p>run setup.sh</p>'],
];

describe('what an author writes does nothing to the page', () => {
  test.each(safe)('%s', async (_what, text, html) => {
    expect(await shown(text)).toBe(html);
  });
});

describe('what GitHub renders is rendered', () => {
  test.each(github)('%s', async (_what, text, html) => {
    expect(await shown(text)).toBe(html);
  });

  test('of many languages in one text only some are loaded and coloured', async () => {
    const names = [
      'java',
      'ruby',
      'rust',
      'swift',
      'kotlin',
      'perl',
      'lua',
      'dart',
      'scala',
      'haskell',
      'julia',
      'zig',
    ];
    const html = await shown(names.map(name => `\`\`\`${name}\nif "a"\n\`\`\``).join('\n\n'));
    const coloured = names.filter(name => html.includes(`<code class="language-${name}"><span`));
    expect(coloured.length).toBeGreaterThan(0);
    expect(coloured.length).toBeLessThanOrEqual(8);
    expect(html.match(/<pre/g)?.length).toBe(names.length);
  });

  test('footnotes of two texts lead to their own', async () => {
    const [one, two] = await Promise.all(
      ['c1', 'c2'].map(async anchor =>
        (await markdown('a[^1]\n\n[^1]: b', { repository: 'o/r', anchor })).toString(),
      ),
    );
    for (const html of [one, two]) {
      const [, to] = /<sup[^>]*><a href="#([^"]+)"/.exec(html ?? '') ?? [];
      expect(html).toMatch(new RegExp(`<li [^>]*id="${to}"`));
    }
    expect(one).not.toBe(two);
  });

  test('a Mermaid text is a picture that loads nothing, its text folded under it', async () => {
    const html = await shown('```mermaid\ngraph TD\n  a["One <script>"] --> b\n```');
    const [, data = ''] =
      /^<figure class="diagram"><img src="data:image\/svg\+xml;base64,([^"]+)" width="\d+" height="\d+" alt="[^"]+"><details>/.exec(
        html,
      ) ?? [];
    const svg = Buffer.from(data, 'base64').toString();
    expect(svg).toMatch(/^<svg /);
    expect(svg).toContain('One');
    expect(svg).not.toMatch(/<script|@import|href=|url\(['"]?http/);
    expect(html).toContain('a["One &lt;script&gt;"] --&gt; b');
  });

  test.each([
    ['of an unknown kind', 'gantt\n title x'],
    [
      'whose layout would take minutes',
      `graph TD\n${'a & b & c & d & e & f & g --> h & i & j & k & l & m & n\n'.repeat(100)}`,
    ],
  ])('a Mermaid text %s stays text', async (_what, text) => {
    expect(await shown(`\`\`\`mermaid\n${text}\n\`\`\``)).toMatch(
      /^<pre tabindex="0"><code class="language-mermaid">/,
    );
  });
});

const missing =
  spawnSync('cmark-gfm', ['--version']).error === undefined ? '' : ' (skipped: cmark-gfm is missing)';

describe.skipIf(missing !== '')(`beside GitHub's own parser${missing}`, () => {
  /** As one writes it, whoever does: attributes that only the pages add, ends of tags, entities. */
  const plain = (html: string) =>
    html
      .replace(/<\/?div[^>]*>/g, '')
      .replace(
        / (tabindex|scope|data-label|rel|aria-label|disabled|checked|class|align|type)(="[^"]*")?(?=[ >])/g,
        '',
      )
      .replaceAll(' />', '>')
      .replaceAll('&quot;', '"')
      .replace(/>\s+</g, '><')
      .trim();
  const theirs = (text: string) =>
    execFileSync(
      'cmark-gfm',
      [
        '--unsafe',
        ...['table', 'strikethrough', 'autolink', 'tasklist', 'tagfilter'].flatMap(name => ['-e', name]),
      ],
      { input: text, encoding: 'utf8' },
    );

  // Not held: GitHub takes one tilde for two.
  test.each([
    '# a\n\nb\nc  \nd',
    '*a* __b__ ~~c~~ `d` **a*b*c**',
    '1. a\n2. b\n   - c\n\n     d',
    '- a\n\n- b',
    '> a\n> > b\nc',
    '| a | b |\n|:--|--:|\n| `1 \\| 2` | c |\n| d |',
    '| a |\nno table',
    '| a | b |\n|---|---|\nshort\n\nafter',
    'a www.example.com/x_(y) b https://a.test/?q=1&r=2. c',
    'mail a@b.test now',
    '[a](/b "c") [d] <https://e.test>\n\n[d]: /e',
    '    code\n\n\tmore',
    '```\na\n``` b\n```',
    '~~~ \n```\n~~~',
    '- [ ] a\n- [X] b\n- [y] c',
    '1) a\n\n   b\n3) c',
    'a\\\nb &copy; &amp; \\*c\\*',
    '***\n---\n___',
    'Title\n===\n\nSub\n---',
    '<details>\n<summary>a</summary>\n\n*b*\n\n</details>',
    '<sub>a</sub> <kbd>b</kbd> <ins>c</ins> x<sup>2</sup>',
    '* a\n  * b\n    * c\n* d',
    '![a *b*](c.png)'.replace('!', ''),
    '\\# a\n\n#b\n\n####### c',
    '**bold**text **not bold **',
  ])('%j', async text => {
    expect(plain(await shown(text))).toBe(plain(theirs(text).replaceAll('\n', '')));
  });
});

test('many texts of one page, rendered at a time, open the library for colours once', async () => {
  vi.resetModules();
  const { markdown } = await import('../../packages/forge/pages/markdown/markdown.ts');
  const told = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const texts = Array.from({ length: 12 }, (_, n) => `\`\`\`js\nconst a = ${n};\n\`\`\``);
  const shown = await Promise.all(texts.map(text => markdown(text, { repository: 'a/b', anchor: 'x' })));
  expect(shown.filter(each => String(each).includes('class="k-keyword"'))).toHaveLength(12);
  // The library complains of every tenth one.
  expect(told.mock.calls).toEqual([]);
  told.mockRestore();
});

/** Labels of the picture. */
const labels = (svg: string) => [...svg.matchAll(/<text[^>]*>([\s\S]*?)<\/text>/g)].map(([, text]) => text);

test('draws nodes and labels, in the colours of whoever looks, and loads nothing', () => {
  const svg = mermaidSvg('flowchart TD\n  a["One"] -->|then| b["Two"]');
  expect(labels(svg)).toEqual(expect.arrayContaining(['One', 'Two', 'then']));
  expect(svg).toContain('prefers-color-scheme: dark');
  expect(svg).not.toMatch(/@import|<script|href=|https?:\/\/(?!www\.w3\.org)/);
});

test('number codes are what they say, and stay text', () => {
  const svg = mermaidSvg('flowchart TD\n  a["#60;script#62; #38; #91;x#93; #0; #99999999;"]');
  expect(labels(svg)[0]).toContain('&lt;script&gt; &amp; [x] #0;');
  expect(svg).not.toContain('<script');
});

test('what is no diagram is refused', () => {
  expect(() => mermaidSvg('nothing of the kind')).toThrow();
});
