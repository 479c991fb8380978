// Server settings from the environment, variable by variable: parsed, or refused by name.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { derivedKey, portOf, readServerSettings } from '../../../src/doors/app/server-settings.ts';

const pem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs1',
  format: 'pem',
}) as string;
const publicPem = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({
  type: 'spki',
  format: 'pem',
}) as string;
const otherPem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs1',
  format: 'pem',
}) as string;
const folder = mkdtempSync(join(tmpdir(), 'echelon-settings-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'key.pem');
writeFileSync(file, pem);
const app = { APP_ID: ' 12 ', PRIVATE_KEY: pem, WEBHOOK_SECRET: 'hush' };

describe('a server', () => {
  test('an empty environment gives the defaults', () => {
    const nothing = { app: undefined, host: undefined, port: undefined, webhookProxy: undefined };
    const api = 'https://api.github.com';
    expect(readServerSettings({})).toEqual({ ...nothing, api, caps: {}, logLevel: 'warn' });
    const blank = { APP_ID: ' ', PRIVATE_KEY: '', PRIVATE_KEY_PATH: ' ', WEBHOOK_SECRET: '\n', HOST: ' ' };
    expect(readServerSettings(blank)).toMatchObject(nothing);
  });

  test.each<{ env: Record<string, string>; gives: object }>([
    { env: { PORT: '8080' }, gives: { port: 8080 } },
    { env: { PORT: '0' }, gives: { port: 0 } },
    { env: { PORT: '' }, gives: { port: undefined } },
    { env: { HOST: ' 127.0.0.2 ' }, gives: { host: '127.0.0.2' } },
    {
      env: { WEBHOOK_PROXY_URL: 'https://smee.io/a1' },
      gives: { webhookProxy: 'https://smee.io/a1' },
    },
    { env: { LOG_LEVEL: 'INFO' }, gives: { logLevel: 'info' } },
    { env: { LOG_LEVEL: '' }, gives: { logLevel: 'warn' } },
  ])('$env', ({ env, gives }) => {
    expect(readServerSettings(env)).toMatchObject(gives);
  });

  test.each([
    { how: 'as it is', written: pem },
    { how: 'in one line', written: pem.trim().replaceAll('\n', '\\n') },
    { how: 'in base64', written: Buffer.from(pem).toString('base64') },
  ])('the private key $how', ({ written }) => {
    const read = readServerSettings({ ...app, PRIVATE_KEY: written }).app;
    expect(read).toMatchObject({ id: '12', secret: 'hush', baseUrl: 'https://api.github.com' });
    expect(read?.privateKey.trim()).toBe(pem.trim());
  });

  test.each([
    { how: 'from a file', env: { PRIVATE_KEY_PATH: file }, read: pem },
    {
      how: 'from its own variable before a file',
      env: { PRIVATE_KEY_PATH: file, PRIVATE_KEY: otherPem },
      read: otherPem,
    },
  ])('the private key $how', ({ env, read }) => {
    const found = readServerSettings({ APP_ID: '12', WEBHOOK_SECRET: 'hush', ...env }).app;
    expect(found?.privateKey.trim()).toBe(read.trim());
  });

  test.each<{ env: Record<string, string>; url: string }>([
    { env: { GHE_HOST: 'ghe.example.com' }, url: 'https://ghe.example.com/api/v3' },
    { env: { GHE_HOST: '127.0.0.1:3000', GHE_PROTOCOL: 'http' }, url: 'http://127.0.0.1:3000/api/v3' },
    { env: { GHE_HOST: '[::1]:3000', GHE_PROTOCOL: 'http' }, url: 'http://[::1]:3000/api/v3' },
    { env: { GHE_PROTOCOL: 'http' }, url: 'https://api.github.com' },
  ])('$env is at $url', ({ env, url }) => {
    expect(readServerSettings({ ...app, ...env }).app?.baseUrl).toBe(url);
  });

  const without = 'must be set too; without any of them the local forge is served';
  test.each<{ env: Record<string, string>; says: string }>([
    { env: { PORT: 'abc' }, says: 'PORT: abc is not a port' },
    { env: { PORT: '65536' }, says: 'PORT: 65536 is not a port' },
    { env: { PORT: '-1' }, says: 'PORT: -1 is not a port' },
    {
      env: { LOG_LEVEL: 'loud' },
      says: 'LOG_LEVEL: loud is not a level; it is one of trace, debug, info, warn, error, fatal, silent',
    },
    {
      env: { APP_ID: '1', WEBHOOK_SECRET: 'hush', PRIVATE_KEY_PATH: '/no/such' },
      says: "PRIVATE_KEY_PATH: ENOENT: no such file or directory, open '/no/such'",
    },
    {
      env: { APP_ID: '1', WEBHOOK_SECRET: 'hush', PRIVATE_KEY_PATH: import.meta.filename },
      says: 'PRIVATE_KEY_PATH: not a private key in PEM or base64',
    },
    { env: { PRIVATE_KEY_PATH: file }, says: `to run as a GitHub App APP_ID and WEBHOOK_SECRET ${without}` },
    {
      env: { WEBHOOK_PROXY_URL: 'smee.io/a1' },
      says: 'WEBHOOK_PROXY_URL: not an address that begins with http:// or https://',
    },
    { env: { APP_ID: '1' }, says: `to run as a GitHub App PRIVATE_KEY and WEBHOOK_SECRET ${without}` },
    { env: { PRIVATE_KEY: pem }, says: `to run as a GitHub App APP_ID and WEBHOOK_SECRET ${without}` },
    { env: { ...app, APP_ID: '' }, says: `to run as a GitHub App APP_ID ${without}` },
    { env: { ...app, PRIVATE_KEY: 'no key' }, says: 'PRIVATE_KEY: not a private key in PEM or base64' },
    { env: { ...app, PRIVATE_KEY: publicPem }, says: 'PRIVATE_KEY: not a private key in PEM or base64' },
    {
      env: { ...app, PRIVATE_KEY: pem.slice(0, 400) },
      says: 'PRIVATE_KEY: not a private key in PEM or base64',
    },
    { env: { ...app, GHE_PROTOCOL: 'ftp' }, says: 'GHE_PROTOCOL: ftp is neither https nor http' },
    ...['https://ghe.example.com', 'ghe.example.com/api', 'you@ghe.example.com', 'ghe example'].map(host => ({
      env: { ...app, GHE_HOST: host },
      says: `GHE_HOST: ${host} is not a host such as github.example.com or github.example.com:8443`,
    })),
  ])('$says', ({ env, says }) => {
    expect(() => readServerSettings(env)).toThrow(new Error(says));
  });
});

test.each([
  ['0', 0],
  ['65535', 65_535],
  ['65536', undefined],
  ['', undefined],
  [' 80', undefined],
  ['0x50', undefined],
  ['80.5', undefined],
  ['-1', undefined],
])('the port "%s" is %s', (text, port) => {
  expect(portOf(text)).toBe(port);
});

test("the record's key comes from the App's key, and is another for another", () => {
  expect(derivedKey(pem)).toEqual(derivedKey(pem));
  expect(derivedKey(pem)).toHaveLength(32);
  expect(derivedKey(pem)).not.toEqual(derivedKey(`${pem}\n`));
});
