// A real browser, where the machine has one.
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

/** Why tests in a browser are skipped, for their names; empty where there is one. */
export const noBrowser = existsSync(executablePath) ? '' : ` (skipped: ${executablePath} is missing)`;

const quiet = ['background-networking', 'component-update', 'sync', 'quic'].map(name => `--disable-${name}`);

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox', ...quiet] });

/** What the page's console says from now on, and which hosts beside its own it asks. */
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
