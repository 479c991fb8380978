// "Register on GitHub": a person's way from the local forge to the live App, with a forge in GitHub's place.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pages } from '../../../packages/forge/pages/pages.ts';
import { at as work, openTestForge, type TestForge } from '../../forge/fixture.ts';
import { organisationApi } from '../library/organisation-api.ts';
import { until } from '../../until.ts';
import { endAll, runCli, startCli } from './run-cli.ts';
import { imageCommand } from './container-image.ts';
import { type Serving, serving } from './serving.ts';

const temporary = mkdtempSync(join(tmpdir(), 'echelon-setup-test-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));
const folder = () => mkdtempSync(join(temporary, 'data-'));

/** Login of the forge that plays GitHub: olga has signed in there. */
const signedIn = 'olga-has-signed-in-on-github';
let github: TestForge;
let service: Awaited<ReturnType<typeof organisationApi>>;
beforeEach(async () => {
  [github, service] = await Promise.all([
    openTestForge({ pages: forge => pages(forge, { actor: 'olga', key: signedIn }) }),
    organisationApi(),
  ]);
});
afterEach(async () => {
  await endAll();
  await Promise.all([github[Symbol.asyncDispose](), service[Symbol.asyncDispose]()]);
});

const web = () => github.forge.url;
const env = (): Record<string, string> => ({
  GHE_HOST: new URL(web()).host,
  GHE_PROTOCOL: 'http',
  ANTHROPIC_API_KEY: 'sk-ant-api03-NotAKey',
  ANTHROPIC_BASE_URL: service.url,
});
const start = (data: string, more: Record<string, string> = {}, command?: readonly string[]) =>
  serving(['--data', data, '--port', '0'], { env: { ...env(), ...more }, ...(command && { command }) });

/** Somebody with a cookie, who looks at each answer himself. */
class Person {
  #cookies = new Map<string, string>();

  async open(url: string, form?: Record<string, string>, headers: Record<string, string> = {}) {
    const { origin } = new URL(url);
    const answer = await fetch(url, {
      redirect: 'manual',
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      headers: { cookie: this.#cookies.get(origin) ?? '', ...(form && { origin }), ...headers },
    });
    const cookie = answer.headers.get('set-cookie')?.split(';')[0];
    if (cookie) this.#cookies.set(origin, cookie);
    return {
      status: answer.status,
      to: answer.headers.get('location') ?? '',
      text: await answer.text(),
      headers: answer.headers,
    };
  }
}

const unescaped = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
const fieldOf = (text: string, name: string) =>
  unescaped(new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '');

/** As far as GitHub's page: where the form leads, and what it sends. */
async function begin(at: Serving, olga: Person, fields: Record<string, string> = {}) {
  await olga.open(`${at.url}/?key=${at.key}`);
  const csrf = fieldOf((await olga.open(`${at.url}/setup`)).text, 'csrf');
  const asked = await olga.open(`${at.url}/setup`, { csrf, organization: '', address: '', ...fields });
  const action = unescaped(/<form method="post" action="(http[^"]+)"/.exec(asked.text)?.[1] ?? '');
  return { ...asked, action, manifest: fieldOf(asked.text, 'manifest') };
}

/** From GitHub's page back to the address that GitHub sends the browser to. */
async function confirm(olga: Person, { action, manifest }: { action: string; manifest: string }) {
  const site = new URL(action).origin;
  await olga.open(`${site}/?key=${signedIn}`);
  // Another site's form, as the browser tells.
  const page = await olga.open(
    action,
    { manifest },
    { origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' },
  );
  const fields = ['csrf', 'manifest', 'state', 'name'].map(name => [name, fieldOf(page.text, name)] as const);
  return (await olga.open(`${site}/settings/apps/create`, Object.fromEntries(fields))).to;
}

const kept = (data: string) => JSON.parse(readFileSync(join(data, 'app.json'), 'utf8'));

test('from the files of the container image the App is registered, is live without a restart, and at the next start too; its key is shown nowhere', {
  timeout: 90_000,
}, async () => {
  const data = folder();
  const command = imageCommand(temporary, data, Object.keys(env()));
  const at = await start(data, {}, command);
  const { port } = new URL(at.url);
  await at.says(/register the App on GitHub: http:\/\/localhost:\d+\/setup\?key=\w+\n/);
  const olga = new Person();
  const back = await confirm(olga, await begin(at, olga, { address: `http://127.0.0.1:${port}/` }));
  const done = await olga.open(back);
  expect(done).toMatchObject({ status: 303, to: `${github.forge.url}/apps/echelon/installations/new` });

  await at.says(/install the App on a repository: \S+\/apps\/echelon\/installations\/new\n/);
  await at.says(/the App, echelon\[bot\], listens on \S+:(\d+), every address/);
  const file = join(data, 'app.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(existsSync(`${file}.new`)).toBe(false);
  const { privateKey, secret } = kept(data);
  const asked = await olga.open(done.to);
  const where = { csrf: fieldOf(asked.text, 'csrf'), repository: `${work.owner}/${work.repo}` };
  const installed = await olga.open(done.to, where);
  expect(await olga.open(`${web()}${installed.to}`)).toMatchObject({
    status: 200,
    text: expect.stringContaining('Echelon is installed'),
  });
  const issue = { title: 'A note', body: 'Write it.', labels: ['echelon'] };
  await github.as('olga').rest.issues.create({ ...work, ...issue });
  const answered = () =>
    until('the live App answers on the issue', async () =>
      (await github.as('olga').rest.issues.listComments({ ...work, issue_number: 1 })).data.find(
        ({ user }) => user?.login === 'echelon[bot]',
      ),
    );
  await answered();
  expect(github.forge.deliveries().map(({ status_code }) => status_code)).toContain(202);
  expect((await olga.open(`${at.url}/setup`)).status).toBe(404);
  at.kill('SIGTERM');
  const first = await at.ended;
  expect(first.code).toBe(0);

  const again = startCli(['serve', '--data', data, '--port', '0'], { env: env(), command });
  await again.says(/the App, echelon\[bot\], listens on/);
  again.kill('SIGTERM');
  await again.ended;
  const app = { APP_ID: kept(data).id, PRIVATE_KEY: privateKey, WEBHOOK_SECRET: secret };
  const doctor = await runCli(['doctor', '--app', '--repo', 'olga/work', '--json'], {
    env: { ...env(), ...app },
    command: imageCommand(temporary, data, Object.keys({ ...env(), ...app })),
  });
  expect(JSON.parse(doctor.stdout).findings).toContainEqual(
    expect.objectContaining({ what: 'App', state: 'well' }),
  );
  for (const secretText of [privateKey.split('\n')[3], secret, new URL(back).searchParams.get('code')])
    expect(
      first.stdout + first.stderr + again.ran.stdout + again.ran.stderr + doctor.stdout + done.to + done.text,
    ).not.toContain(secretText);
});

test('without an address it is registered without webhooks and events, and looks on GitHub by itself', {
  timeout: 90_000,
}, async () => {
  const data = folder();
  // The same server, which calls itself by another name than the person does.
  const site = web().replace('127.0.0.1', 'localhost');
  const at = await start(data, { GHE_HOST: new URL(site).host });
  const olga = new Person();
  const begun = await begin(at, olga);
  const manifest = JSON.parse(begun.manifest);
  expect([manifest.hook_attributes, manifest.default_events]).toEqual([undefined, undefined]);
  expect(await olga.open(await confirm(olga, begun))).toMatchObject({
    status: 303,
    to: `${site}/apps/echelon/installations/new`,
  });
  await at.says(/the App, echelon\[bot\], listens on/);
  expect(kept(data).secret).toMatch(/^[\da-f]{40,}$/);
});

describe('/setup', () => {
  test('is for who has the key of the pages, and its form for who has read it', async () => {
    const at = await start(folder());
    const stranger = new Person();
    expect((await stranger.open(`${at.url}/setup`)).status).toBe(403);
    expect((await stranger.open(`${at.url}/setup`, { organization: '', address: '' })).status).toBe(403);
    expect((await stranger.open(`${at.url}/setup/registered?code=a&state=b`)).status).toBe(403);
    const olga = new Person();
    await olga.open(`${at.url}/?key=${at.key}`);
    const forged = { csrf: '', organization: '', address: '' };
    expect((await olga.open(`${at.url}/setup`, forged)).status).toBe(403);
    const { text } = await olga.open(`${at.url}/setup`);
    const fields = { ...forged, csrf: fieldOf(text, 'csrf') };
    const elsewhere = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await olga.open(`${at.url}/setup`, fields, elsewhere)).status).toBe(403);
    const asked = await olga.open(`${at.url}/setup`, fields);
    expect(asked.status).toBe(200);
    expect(asked.headers.get('content-security-policy')).toContain(`form-action 'self' ${web()};`);
  });

  test('takes the answer to what was begun last in this browser, once, and nothing else', async () => {
    const data = folder();
    const at = await start(data);
    const [olga, other] = [new Person(), new Person()];
    const stale = await confirm(olga, await begin(at, olga));
    const refused = 'This is not the answer to the registration that was begun here last';
    const fresh = await begin(at, olga);
    const back = new URL(stale);
    expect(await olga.open(stale)).toMatchObject({ status: 403, text: expect.stringContaining(refused) });
    back.searchParams.set('state', new URL(fresh.action).searchParams.get('state') ?? '');
    await other.open(`${at.url}/?key=${at.key}`);
    expect(await other.open(back.href)).toMatchObject({
      status: 403,
      text: expect.stringContaining(refused),
    });
    back.searchParams.set('code', 'made-up');
    const unknown = await olga.open(back.href);
    expect(unknown).toMatchObject({
      status: 422,
      text: expect.stringContaining('GitHub does not know this code'),
    });
    expect(unknown.text).not.toContain('made-up');
    expect(await olga.open(back.href)).toMatchObject({ status: 403, text: expect.stringContaining(refused) });
    expect(existsSync(join(data, 'app.json'))).toBe(false);
  });

  test('says which field it cannot use, and leads to the organization that is to own the App', async () => {
    const at = await start(folder());
    const olga = new Person();
    for (const [fields, says] of [
      [{ organization: 'a/b' }, 'not a name on GitHub'],
      [{ address: 'echelon.example.com' }, 'not one that begins with https://'],
      [{ address: 'https://you:pass@echelon.example.com' }, 'not one that begins with https://'],
    ] as const)
      expect(await begin(at, olga, fields)).toMatchObject({
        status: 422,
        text: expect.stringContaining(says),
      });
    const { action } = await begin(at, olga, { organization: 'acme' });
    expect(action.startsWith(`${web()}/organizations/acme/settings/apps/new?state=`)).toBe(true);
  });

  test('says what to set first where there is no model', async () => {
    const at = await start(folder(), { ANTHROPIC_API_KEY: '' });
    const olga = new Person();
    await olga.open(`${at.url}/?key=${at.key}`);
    const { text } = await olga.open(`${at.url}/setup`);
    expect(text).toContain(
      'the App needs ANTHROPIC_API_KEY or OPENAI_API_KEY in the environment: set it, and start again',
    );
    expect(text).not.toContain('<form');
  });
});

describe('a file of credentials', () => {
  const pem = 'half-a-key-that-nobody-is-shown';
  test.each([
    { what: 'that others may read', mode: 0o644, text: '{}', says: 'others may read it: chmod 600' },
    {
      what: 'that is no JSON',
      mode: 0o600,
      text: `{"privateKey": "${pem}`,
      says: 'remove it and register again',
    },
    {
      what: 'without a key',
      mode: 0o600,
      text: JSON.stringify({ id: '1', privateKey: pem }),
      says: 'remove it',
    },
  ])('$what: a sentence, and nothing is served', async ({ mode, text, says }) => {
    const data = folder();
    writeFileSync(join(data, 'app.json'), text, { mode });
    const ran = await runCli(['serve', '--data', data, '--port', '0'], { env: env(), refused: true });
    expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(says) });
    expect(ran.stderr).not.toContain(pem);
  });
});

test('what a clone brings along is not served: without --data the home folder is', async () => {
  const [cwd, home] = [folder(), folder()];
  for (const [place, mode] of [
    [cwd, 0o600],
    [home, 0o644],
  ] as const) {
    mkdirSync(join(place, '.echelon'));
    writeFileSync(join(place, '.echelon', 'app.json'), '{"privateKey": "of a stranger"}', { mode });
  }
  const ran = await runCli(['serve', '--port', '0'], { env: { ...env(), HOME: home }, cwd, refused: true });
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(`${home}/.echelon/app.json holds`) });
  expect(ran.stderr).toContain('.echelon is not read; --data .echelon serves what is kept there');
});

const browser = '/usr/bin/chromium';
test.skipIf(!existsSync(browser))(
  'a browser is let through from page to page',
  { timeout: 60_000 },
  async () => {
    const at = await start(folder());
    const args = [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ];
    const chrome = await chromium.launch({ executablePath: browser, args });
    try {
      const page = await chrome.newPage();
      await page.goto(`${web()}/?key=${signedIn}`);
      // The same site as GitHub's here, which takes its session along.
      await page.goto(`${at.url.replace('localhost', '127.0.0.1')}/setup?key=${at.key}`);
      await page.getByRole('button', { name: 'Go on' }).click();
      await page.getByRole('button', { name: 'Register on GitHub' }).click();
      await page.getByRole('button', { name: 'Create GitHub App for me' }).click();
      await at.says(/the App, echelon\[bot\], listens on/);
      await page.waitForURL(/\/apps\/echelon\/installations\/new$/);
      await page.getByLabel('Repository').selectOption('olga/work');
      await page.getByRole('button', { name: 'Install' }).click();
      await page.waitForURL(/\/settings\/installations\/\d+$/);
    } finally {
      await chrome.close();
    }
  },
);
