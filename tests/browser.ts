// A real browser, where the machine has one.
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Suffix of skipped browser tests' names: the reason; empty if there is a browser. */
export const noBrowser = existsSync(executablePath) ? '' : ` (skipped: ${executablePath} is missing)`;

const quiet = ['background-networking', 'component-update', 'sync', 'quic'].map(name => `--disable-${name}`);

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox', ...quiet] });

/** Collects from now on the page's console output and the foreign hosts it contacts. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', message => complaints.push(message.text()));
  page.on('request', request => {
    const { protocol, hostname, href } = new URL(request.url());
    if (protocol !== 'data:' && !/^(localhost|127\.0\.0\.1)$/.test(hostname))
      complaints.push(`asked ${href}`);
  });
  return complaints;
}
