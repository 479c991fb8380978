// The forge's pages in a real browser: filing and saying, light and dark, wide and on a phone, and what axe finds.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pages } from '../../src/forge/pages/pages.ts';
import { at, openTestForge, type TestForge } from './fixture.ts';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const key = 'the-key-of-these-pages';
const banner = 'The scripted model is playing.';
const missing = existsSync(executablePath) ? '' : ` (skipped: ${executablePath} is missing)`;
const quiet = ['background-networking', 'component-update', 'sync', 'quic'].map(name => `--disable-${name}`);

describe.skipIf(missing !== '')(`in a real browser${missing}`, () => {
  let opened: TestForge;
  let browser: Browser;
  beforeAll(async () => {
    opened = await openTestForge({ pages: forge => pages(forge, { actor: 'olga', key, banner }) });
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...quiet] });
    await fill(opened);
  });
  afterAll(async () => {
    await browser?.close();
    await opened?.[Symbol.asyncDispose]();
  });

  const address = (path: string) => `${opened.forge.url}${path}?key=${key}`;

  test('files an issue, labels it and comments', async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', message => complaints.push(message.text()));
    await page.goto(address('/olga/work/issues/new'));
    await page.getByLabel('Title').fill('From a browser');
    await page
      .getByLabel('Description')
      .fill('Some **bold** text <script>document.title = "broken"</script>');
    await page.getByRole('button', { name: 'Create issue' }).click();
    await page.getByLabel('Label to add').fill('echelon');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByLabel('Add a comment').fill('/status');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByRole('article').filter({ hasText: '/status' }).waitFor();
    expect(await page.title()).toMatch(/^From a browser/);
    expect(
      await page.evaluate("getComputedStyle(document.querySelector('.markdown strong')).fontWeight"),
    ).toBe('700');
    expect(await page.getByRole('listitem').filter({ hasText: 'echelon' }).count()).toBe(1);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('what others say comes into the page; what is typed, and what is folded, stays', async () => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', message => complaints.push(message.text()));
    const comments = `/repos/olga/work/issues/1/comments`;
    await opened.forge.call('olga', 'POST', comments, {
      body: '<details><summary>More</summary>\n\nA\n\n</details>',
    });
    await page.goto(address('/olga/work/issues/1'));
    await page.getByText('More').click();
    await page.getByLabel('Add a comment').pressSequentially('Half a sent');
    await opened.forge.call('olga', 'POST', comments, { body: 'Said meanwhile.' });
    await opened.forge.call('olga', 'PATCH', '/repos/olga/work/issues/1', { title: 'Another title' });
    await page.getByRole('article').filter({ hasText: 'Said meanwhile.' }).waitFor();
    await page.getByRole('heading', { name: 'Another title' }).waitFor();
    await page.getByLabel('Add a comment').pressSequentially('ence');
    expect(await page.getByLabel('Add a comment').inputValue()).toBe('Half a sentence');
    expect(await page.locator('details', { hasText: 'More' }).last().getAttribute('open')).toBe('');
    expect(await page.locator('.fresh').count()).toBe(1);
    expect(await page.getByRole('status').textContent()).toBe('New on this page: 1');
    expect(await page.title()).toMatch(/^Another title/);
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByRole('article').filter({ hasText: 'Half a sentence' }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('reviews on a line, and is answered there', async () => {
    const page = await browser.newPage();
    await page.goto(address('/olga/work/pull/2'));
    await page.getByText('Comment on a line').click();
    await page.getByRole('textbox', { name: 'Line', exact: true }).fill('1');
    await page.getByLabel('Comment on a line of src/sum.js').fill('The order **matters**.');
    await page.getByRole('button', { name: 'Comment on the line' }).click();
    const thread = page.locator('.on-line').filter({ hasText: 'The order matters.' });
    await thread.getByText('src/sum.js:1').waitFor();
    await thread.getByPlaceholder('Reply').fill('It does not here.');
    await thread.getByRole('button', { name: 'Reply' }).click();
    await thread.getByText('It does not here.').waitFor();
    expect(await page.locator('.on-line').count()).toBe(2);
    await page.close();
  });

  const places = [
    ['/', 'the repositories'],
    ['/olga/work', 'a repository'],
    ['/olga/work/issues', 'the issues'],
    ['/olga/work/issues/new', 'the form of an issue'],
    ['/olga/work/issues/1', 'an issue'],
    ['/olga/work/pulls', 'the pull requests'],
    ['/olga/work/pull/2', 'a pull request'],
    ['/olga/work/actions', 'the runs'],
    ['/deliveries', 'the deliveries'],
    ['/none', 'what is not there'],
  ] as const;
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
  ] as const)(
    '%s, %d pixels wide: axe finds nothing serious on any page, and no page is wider',
    async (colorScheme, width) => {
      // The policy of the pages keeps axe out as well.
      const context = await browser.newContext({
        colorScheme,
        bypassCSP: true,
        viewport: { width, height: 900 },
      });
      const page = await context.newPage();
      await page.goto(address('/'));
      const found: string[] = [];
      const look = async (what: string) => {
        await page.evaluate(axe);
        const run =
          "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(v => [v.impact, v.id, v.nodes[0].target.join(' ')]))";
        for (const [impact = '', ...others] of await page.evaluate<string[][]>(run))
          if (impact === 'serious' || impact === 'critical') found.push([what, impact, ...others].join(': '));
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
        if (wide > width) found.push(`${what} is ${wide} pixels wide`);
      };
      for (const [path, what] of places) {
        await page.goto(opened.forge.url + path);
        await look(what);
      }
      await context.clearCookies();
      await page.goto(opened.forge.url);
      await look('who is not let in');
      expect(await page.textContent('body')).not.toContain('acting as');
      expect(found).toEqual([]);
      await context.close();
    },
  );
});

const board = `## Done: review and merge #2 first

| Issue | State | Waits for | Tests | Pull request | Cost |
|---|---|---|---|---|---|
| #1 A title of several words that has to be broken somewhere | delivered | #2 | green | #2 | $0.02 (est. $0.06) |

\`\`\`mermaid
graph LR
  a["#1"]:::done --> b
  classDef done fill:#dafbe1,stroke:#1a7f37,color:#1f2328
\`\`\`

- [x] a <sub>small</sub> thing[^1]

> [!WARNING]
> look at \`src/sum.js\`

\`\`\`js
// Adds.
export const sum = (a, b) => a + b;
\`\`\`

[^1]: A note.
`;

async function fill({ forge }: TestForge): Promise<void> {
  const call = (method: string, path: string, body: object) =>
    forge.call('olga', method, `/repos/${at.owner}/${at.repo}${path}`, body);
  await call('POST', '/issues', { title: 'Add it up', body: board, labels: ['bug', 'echelon'] });
  await call('POST', '/pulls', {
    title: 'Turn',
    head: 'feature',
    base: 'main',
    body: 'Closes #1',
    draft: true,
  });
  await call('POST', '/issues/1/comments', { body: 'See #2.' });
  await call('PATCH', '/issues/1', { state: 'closed' });
  const line = { path: 'src/sum.js', line: 1, body: 'Why?' };
  await call('POST', '/pulls/2/reviews', { event: 'COMMENT', body: 'Hm.', comments: [line] });
}
