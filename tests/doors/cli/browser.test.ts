// The whole of it in a real browser, as somebody meets it after `npm start`: from an example to a merged pull request.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { complaintsOf, noBrowser, openBrowser } from '../../browser.ts';
import { endAll } from './run-cli.ts';
import { serving } from './serving.ts';

const data = mkdtempSync(join(tmpdir(), 'echelon-browser-test-'));
afterAll(async () => {
  await endAll();
  rmSync(data, { recursive: true, force: true });
});

test.skipIf(noBrowser !== '')(
  `filed from the example, labelled, approved by a click, watched, reviewed on a line and merged${noBrowser}`,
  { timeout: 180_000 },
  async () => {
    const at = await serving(['--data', data, '--port', '0']);
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      // A whole run is waited for.
      page.setDefaultTimeout(90_000);
      const complaints = complaintsOf(page);
      await page.goto(`${at.url}/you/sample/issues?key=${at.key}`);
      await page.getByRole('link', { name: 'Find a book' }).click();
      await page.getByLabel('Labels, separated by commas').fill('');
      await page.getByRole('button', { name: 'Create issue' }).click();
      await page.getByLabel('Label to add').fill('echelon');
      await page.getByRole('button', { name: 'Add' }).click();

      // From here on nothing is loaded but what the page brings in by itself.
      const board = page.getByRole('heading', { level: 3 }).first();
      const approve = page.getByRole('button', { name: 'Approve' });
      await approve.waitFor();
      const digest = await page
        .locator('sub', { hasText: 'exactly this text' })
        .locator('code')
        .first()
        .textContent();
      const loads: string[] = [];
      page.on('framenavigated', frame => loads.push(frame.url()));
      await approve.click();
      await page
        .getByRole('article')
        .filter({ hasText: `/approve ${digest}` })
        .filter({ hasText: /^\s*you/ })
        .waitFor();
      await page.getByText(/^Building: \d of 4 issues under way/).waitFor();
      await page.getByText(/^Done: review and merge 4 pull requests/).waitFor();
      expect(await approve.count()).toBe(0);
      expect(loads).toEqual([`${at.url}/you/sample/issues/1`]);
      const [, first = ''] = /#(\d+) first/.exec((await board.textContent()) ?? '') ?? [];
      await page
        .getByRole('link', { name: `#${first}`, exact: true })
        .first()
        .click();

      await page.getByText('Comment on a line').first().click();
      await page.getByRole('textbox', { name: 'Line', exact: true }).first().fill('1');
      await page
        .getByLabel(/^Comment on a line of/)
        .first()
        .fill('Seen **here**.');
      await page.getByRole('button', { name: 'Comment on the line' }).first().click();
      await page.locator('.on-line').filter({ hasText: 'Seen here.' }).waitFor();
      await page.getByRole('button', { name: 'Ready for review' }).click();
      await page.getByRole('button', { name: 'Merge pull request' }).click();
      await page.getByText(/you merged/).waitFor();
      await page.goto(`${at.url}/you/sample/issues/1`);
      await page
        .getByRole('row')
        .filter({ hasText: `#${first}` })
        .getByText('merged')
        .waitFor();
      await page.getByText(/^Done: review and merge 3 pull requests/).waitFor();
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
    }
  },
);
