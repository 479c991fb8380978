// The forge's pages in a real browser: filing and saying, light and dark, wide and on a phone, and what axe finds.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pages } from '../../packages/forge/pages/pages.ts';
import type { QuickReplies } from '../../packages/forge/pages/issue.ts';
import { complaintsOf, noBrowser, openBrowser } from '../browser.ts';
import { issueRunsOf, jobOf, runOf } from './issue-run/run.ts';
import { at, openTestForge, type TestForge } from './fixture.ts';

const key = 'the-key-of-these-pages';
const banner = 'The scripted model is playing.';
const commands = [
  { name: 'go', usage: '/go [where]', what: 'goes there' },
  { name: 'gone', usage: '/gone', what: 'says what went' },
];
/** The first comment of all can be answered by clicking. */
const quickReplies: QuickReplies = ([first]) =>
  new Map(
    first && [
      [
        first.id,
        [
          { label: 'Approve', line: '/go 1', main: true as const },
          { label: 'Reject', line: '/gone', field: 'Reason' },
        ],
      ],
    ],
  );
const hostileTitle = 'A <img src=x onerror=alert(1)> "broken" title';

describe.skipIf(noBrowser !== '')(`in a real browser${noBrowser}`, () => {
  let opened: TestForge;
  let browser: Browser;
  beforeAll(async () => {
    const issueRuns = issueRunsOf(runOf(3, 2, 'reason enough'), jobOf());
    opened = await openTestForge({
      pages: forge => pages(forge, { actor: 'olga', key, banner, commands, quickReplies, issueRuns }),
    });
    browser = await openBrowser();
    await fill(opened);
  });
  afterAll(async () => {
    await browser?.close();
    await opened?.[Symbol.asyncDispose]();
  });

  const address = (path: string) => `${opened.forge.url}${path}?key=${key}`;

  test('files an issue, labels it and comments', async () => {
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
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
    const complaints = complaintsOf(page);
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
    const approve = page.getByRole('button', { name: 'Approve' });
    await approve.waitFor();
    await opened.forge.call('olga', 'POST', comments, { body: '/go 1' });
    await approve.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByRole('article').filter({ hasText: 'Half a sentence' }).waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });

  test('shows how a text will look, without leaving the page', async () => {
    const page = await browser.newPage();
    await page.goto(address('/olga/work/issues/new'));
    await page.getByLabel('Title').fill('Not sent yet');
    await page.getByLabel('Description').fill('So **bold**, see #1');
    await page.getByRole('button', { name: 'Preview' }).click();
    const shown = page.getByRole('region', { name: 'Preview' });
    await shown.getByRole('link', { name: '#1' }).waitFor();
    expect(await shown.locator('strong').textContent()).toBe('bold');
    await page.getByLabel('Description').fill('Otherwise');
    await page.getByRole('button', { name: 'Preview' }).click();
    await shown.getByText('Otherwise').waitFor();
    expect(new URL(page.url()).pathname).toBe('/olga/work/issues/new');
    expect(await page.getByLabel('Title').inputValue()).toBe('Not sent yet');
    await page.close();
  });

  test('a button that is pressed twice says it once', async () => {
    const page = await browser.newPage();
    await page.goto(address('/olga/work/issues/1'));
    await page.getByLabel('Add a comment').fill('Pressed twice');
    // The page stands there for a while longer, as it does where the forge is busy.
    await page.route('**/issues/1/comments', async route => {
      const response = await route.fetch({ maxRedirects: 0 });
      await new Promise(resolve => setTimeout(resolve, 500));
      await route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Comment', exact: true }).dblclick({ delay: 50 });
    await page.getByRole('article').filter({ hasText: 'Pressed twice' }).first().waitFor();
    await page.reload();
    expect(await page.getByRole('article').filter({ hasText: 'Pressed twice' }).count()).toBe(1);
    await page.getByLabel('Add a comment').fill('Once more');
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByRole('article').filter({ hasText: 'Once more' }).waitFor();
    await page.close();
  });

  test('without scripts a preview is the same form again, and the commands stand below a comment', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(address('/olga/work/issues/new'));
    await page.getByLabel('Title').fill('Without scripts');
    await page.getByLabel('Description').fill('\n  So **bold**');
    await page.getByRole('checkbox', { name: 'bug' }).check();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('region', { name: 'Preview' }).locator('strong').waitFor();
    expect(await page.getByRole('checkbox', { name: 'bug' }).isChecked()).toBe(true);
    expect(await page.getByLabel('Description').inputValue()).toBe('\n  So **bold**');
    await page.getByRole('button', { name: 'Create issue' }).click();
    await page.getByRole('heading', { name: 'Without scripts' }).waitFor();
    await page.getByText('Commands, each').click();
    await page.getByText('goes there').waitFor();
    await page.getByLabel('Add a comment').fill('_Seen_');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('region', { name: 'Preview' }).locator('em').waitFor();
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await page.getByRole('article').locator('em').waitFor();
    expect(await page.title()).toMatch(/^Without scripts/);
    await context.close();
  });

  test('reviews on a line, and is answered there', async () => {
    const page = await browser.newPage();
    await page.goto(address('/olga/work/pull/2'));
    await page.getByText('Comment on a line').click();
    await page.getByRole('textbox', { name: 'Line', exact: true }).fill('1');
    const box = page.getByLabel('Comment on a line of src/sum.js');
    await box.fill('The order **matters**.');
    await page.locator('form', { has: box }).getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('region', { name: 'Preview' }).locator('strong').waitFor();
    await page.getByRole('button', { name: 'Comment on the line' }).click();
    const thread = page.locator('.on-line').filter({ hasText: 'The order matters.' });
    await thread.getByText('src/sum.js:1').waitFor();
    await thread.getByPlaceholder('Reply').fill('It does not here.');
    await thread.getByRole('button', { name: 'Reply' }).click();
    await thread.getByText('It does not here.').waitFor();
    expect(await page.locator('.on-line').count()).toBe(2);
    await page.close();
  });

  test('suggests other lines; a line of a file is found by its address', async () => {
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    await page.goto(address('/olga/work/pull/2'));
    await page.getByText('Comment on a line').click();
    await page.getByRole('textbox', { name: 'Line', exact: true }).fill('1');
    const box = page.getByLabel('Comment on a line of src/sum.js');
    await box.fill('```suggestion\n// Adds.\nexport const sum = (a, b) => a + b;\n```');
    await page.getByRole('button', { name: 'Comment on the line' }).click();
    const thread = page.locator('.on-line').filter({ hasText: '// Adds.' });
    await thread.getByText('// Adds.').waitFor();

    await page.goto(`${opened.forge.url}/olga/work/blob/feature/src/sum.js#L1-L1`);
    await page.locator('tr.marked').waitFor();
    expect(await page.locator('tr.marked').allInnerTexts()).toEqual([
      expect.stringContaining('export const sum'),
    ]);
    await page.locator('.branches > summary').click();
    await page.getByRole('link', { name: 'main', exact: true }).click();
    await page.getByText('export const sum').waitFor();
    expect(new URL(page.url()).pathname).toBe('/olga/work/blob/main/src/sum.js');
    expect(complaints).toEqual([]);
    await page.close();
  });

  const places = [
    ['/', 'the repositories'],
    ['/olga/work', 'a repository'],
    ['/olga/work/tree/feature/src', 'a folder'],
    ['/olga/work/blob/feature/src/sum.js?lines=1', 'a file'],
    ['/olga/work/commits/feature', 'a history'],
    ['/olga/work/commit/feature', 'a commit'],
    ['/olga/work/issues', 'the issues'],
    ['/olga/work/issues/new', 'the form of an issue'],
    ['/olga/work/issues/1', 'an issue'],
    ['/olga/work/issues/1/run', 'the run of an issue'],
    ['/olga/work/issues/1/run/a1b2c3d4e5f60718293a', 'a job of a run'],
    ['/olga/work/pulls', 'the pull requests'],
    ['/olga/work/pull/2', 'a pull request'],
    ['/olga/work/pull/2/file?path=src/sum.js', 'a changed file'],
    ['/olga/work/actions', 'the runs'],
    ['/deliveries', 'the deliveries'],
    ['/none', 'what is not there'],
  ] as const;
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
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
      await page.goto(`${opened.forge.url}/olga/work/issues/1`);
      const box = page.getByLabel('Add a comment');
      await box.fill('As *said*');
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.getByRole('region', { name: 'Preview' }).waitFor();
      await page.getByText('Commands, each').click();
      expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(1);
      await look('a comment being written');
      await context.clearCookies();
      await page.goto(opened.forge.url);
      await look('who is not let in');
      expect(await page.textContent('body')).not.toContain('acting as');
      expect(found).toEqual([]);
      await context.close();
    },
  );

  test('all of it with the keyboard only, and one always sees where one is', async () => {
    const page = await browser.newPage();
    const complaints = complaintsOf(page);
    await page.goto(address('/olga/work/issues'));
    const keys = page.keyboard;

    await tabTo(page, 'New issue');
    await keys.press('Enter');
    await page.waitForURL('**/issues/new');
    expect(await focused(page)).toBe('Title');
    await keys.type('By keyboard');
    await tabTo(page, 'Description');
    await keys.type('Like #1');
    await tabTo(page, 'bug');
    await keys.press('Space');
    await tabTo(page, 'Create issue');
    await keys.press('Enter');
    await page.getByRole('heading', { name: 'By keyboard' }).waitFor();
    await tabTo(page, 'Label to add');
    await keys.type('echelon');
    await keys.press('Enter');
    await page.getByRole('listitem').filter({ hasText: 'echelon' }).waitFor();
    await page.getByRole('listitem').filter({ hasText: 'bug' }).waitFor();

    await page.goto(`${opened.forge.url}/olga/work/issues/1`);
    await tabTo(page, 'Approve');
    await keys.press('Enter');
    await page.getByRole('article').filter({ hasText: '/go 1' }).last().waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);

    await page.goto(`${opened.forge.url}/olga/work/pull/2`);
    await tabTo(page, 'Comment on a line');
    await keys.press('Enter');
    await tabTo(page, 'Line');
    await keys.type('1');
    await tabTo(page, 'Comment on a line of src/sum.js');
    await keys.type('By keyboard.');
    await tabTo(page, 'Comment on the line');
    await keys.press('Enter');
    await page.locator('.on-line').filter({ hasText: 'By keyboard.' }).waitFor();
    await tabTo(page, 'Ready for review');
    await keys.press('Enter');
    await page.getByText('It can be merged').waitFor();
    await tabTo(page, 'Merge pull request');
    await keys.press('Enter');
    await page.getByText('olga merged').waitFor();
    expect(complaints).toEqual([]);
    await page.close();
  });
});

/** Name of the focused element, and whether its focus is visible. */
const nameOfFocus = `(() => {
  const at = document.activeElement;
  const name = at.ariaLabel ?? at.labels?.[0]?.innerText ?? (at.innerText || at.value || at.tagName);
  const { outlineStyle, outlineWidth } = getComputedStyle(at);
  return [name.trim(), outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2];
})()`;

const focused = async (page: Page) => (await page.evaluate<[string, boolean]>(nameOfFocus))[0];

/** Presses Tab until what is called so has the focus. Fails where a stop on the way is not seen. */
async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  while (passed.length < 150) {
    await page.keyboard.press('Tab');
    const [here, isSeen] = await page.evaluate<[string, boolean]>(nameOfFocus);
    expect([here, isSeen]).toEqual([here, true]);
    if (here === name) return;
    passed.push(here);
  }
  throw new Error(`Tab does not reach ${name}: ${passed.join(', ')}`);
}

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
  await forge.call('wanda', 'POST', '/repos/olga/work/issues', { title: hostileTitle });
  await call('PATCH', '/issues/1', { state: 'closed' });
  const body = 'Why?\n\n```suggestion\nexport const sum = (b, a) => a + b;\n```';
  const line = { path: 'src/sum.js', line: 1, body };
  await call('POST', '/pulls/2/reviews', { event: 'COMMENT', body: 'Hm.', comments: [line] });
}
