// Makes the pictures of docs/images/ of a demo that is really played, wide and on a phone, light and dark:
// `npm run screenshots`. Needs a Chromium.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium, type Page } from 'playwright-core';

const root = join(import.meta.dirname, '../..');
const cli = join(root, 'src/doors/cli/echelon.js');
const images = join(root, 'docs/images');
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** The local GitHub on the folder of a demo, and the address of its pages with their key. */
async function serving(data: string): Promise<{ server: ChildProcess; home: URL }> {
  const server = spawn(process.execPath, [cli, 'serve', '--data', data, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(server.stdout!)) {
    const address = /http:\/\/\S+[?&]key=\S+/.exec(line)?.[0];
    if (address) return { server, home: new URL(address) };
  }
  throw new Error('the local GitHub ended before it said its address');
}

/** The article of the page whose text holds `text`, as a picture of at most `height` pixels. */
async function picture(page: Page, text: string, name: string, height: number): Promise<void> {
  const article = page.getByRole('article').filter({ hasText: text }).first();
  await article.scrollIntoViewIfNeeded();
  const box = await article.boundingBox();
  if (!box) throw new Error(`no article on ${page.url()} holds "${text}"`);
  await page.screenshot({
    path: join(images, `${name}.png`),
    fullPage: true,
    clip: {
      ...box,
      y: box.y + (await page.evaluate<number>('scrollY')),
      height: Math.min(box.height, height),
    },
  });
  console.log(`docs/images/${name}.png`);
}

/** The sample's directive, filed from the form once; later on its page. */
async function file(page: Page, home: URL): Promise<void> {
  const issue = await page.goto(new URL('/you/sample/issues/1', home).href);
  if (issue?.ok()) return;
  await page.goto(new URL('/you/sample/issues/new', home).href);
  await page.getByRole('link', { name: 'Find a book' }).click();
  await page.getByRole('button', { name: 'Create issue' }).click();
}

/** A suggestion for a line of the pull request that searches, written from its form; later on its page. */
async function suggest(page: Page, home: URL): Promise<void> {
  await page.goto(new URL('/you/sample/pulls', home).href);
  await page.getByRole('link', { name: 'Search the books by title and author' }).click();
  if ((await page.getByText('Suggested change').count()) > 0) return;
  const changes = page
    .locator('.file')
    .filter({ has: page.locator('summary', { hasText: 'server/search.js' }) });
  await changes.getByText('Comment on a line').click();
  await changes.getByRole('textbox', { name: 'Line', exact: true }).fill('12');
  const text = page.getByLabel('Comment on a line of server/search.js');
  const line = '/** Text as it is compared, without capitals and accents: never shown. */';
  await text.fill(`What it is for comes first:\n\n\`\`\`suggestion\n${line}\n\`\`\``);
  await page.getByRole('button', { name: 'Comment on the line' }).click();
}

const folder = mkdtempSync(join(tmpdir(), 'echelon-screenshots-'));
const data = join(folder, 'run');
mkdirSync(images, { recursive: true });
execFileSync(process.execPath, [cli, 'demo', '--keep', data], { stdio: 'ignore' });
const played = await serving(data);
const waiting = await serving(join(folder, 'waiting'));
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  for (const [kind, width] of [
    ['', 1216],
    ['-phone', 390],
  ] as const)
    for (const [scheme, colorScheme] of [
      ['', 'light'],
      ['-dark', 'dark'],
    ] as const) {
      const page = await browser.newPage({ viewport: { width, height: 760 }, colorScheme });
      const name = (what: string) => `${what}${kind}${scheme}`;
      const { home } = played;
      await page.goto(home.href);
      await page.goto(new URL('/you/sample/issues/1', home).href);
      await picture(page, 'Done: review and merge', name('board'), 900);
      await picture(page, 'Approve? ', name('listing'), 760);
      await page.goto(new URL('/you/sample/issues/1/run', home).href);
      await page.setViewportSize({ width, height: 1040 });
      // On a phone the time line begins below.
      if (kind !== '') await page.evaluate(`document.querySelector('.legend').scrollIntoView()`);
      await page.screenshot({ path: join(images, `${name('run')}.png`) });
      await page.setViewportSize({ width, height: 760 });
      console.log(`docs/images/${name('run')}.png`);
      await page.goto(new URL('/you/sample/pulls', home).href);
      await page.getByRole('link', { name: 'Search the books by title and author' }).click();
      await page.screenshot({ path: join(images, `${name('pull-request')}.png`) });
      await page.locator('.file').nth(1).scrollIntoViewIfNeeded();
      await page.screenshot({ path: join(images, `${name('diff')}.png`) });
      console.log(`docs/images/${name('pull-request')}.png, ${name('diff')}.png`);
      await page.goto(waiting.home.href);
      await file(page, waiting.home);
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      await page.getByLabel('Add a comment').pressSequentially('/re');
      await page.getByRole('listbox').waitFor();
      await page.getByText('exactly this text').evaluate('text => text.scrollIntoView()');
      await page.screenshot({ path: join(images, `${name('approve')}.png`) });
      console.log(`docs/images/${name('approve')}.png`);
      await suggest(page, home);
      await picture(page, 'Suggested change', name('suggestion'), 700);
      await page.getByRole('link', { name: 'echelon/' }).first().click();
      await page.getByRole('link', { name: 'server' }).click();
      await page.getByRole('link', { name: 'search.js' }).click();
      await page.goto(`${page.url()}?lines=6-9`);
      await page.setViewportSize({ width, height: 560 });
      if (kind !== '') await page.evaluate(`document.querySelector('.place').scrollIntoView()`);
      await page.screenshot({ path: join(images, `${name('file')}.png`) });
      console.log(`docs/images/${name('file')}.png`);
      await page.close();
    }
} finally {
  await browser.close();
  for (const { server } of [played, waiting]) {
    server.kill('SIGINT');
    await once(server, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
}
