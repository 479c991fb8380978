// Settings from the environment, variable by variable: parsed, or refused by name.
import { describe, expect, test } from 'vitest';
import { readServerSettings } from '../../src/doors/app/server-settings.ts';
import { readSettings } from '../../src/doors/settings.ts';

const key = (letter: string) => letter.repeat(32);
const bytes = (...texts: string[]) => texts.map(text => new TextEncoder().encode(text));

describe('every command', () => {
  test('an empty environment gives the defaults', () => {
    expect(readSettings({})).toMatchObject({
      path: '/usr/local/bin:/usr/bin:/bin',
      providers: {},
      stateKeys: [],
      allows: { isolationNone: false, network: false },
    });
  });

  test.each<{ env: Record<string, string>; gives: object }>([
    { env: { PATH: '/opt/bin' }, gives: { path: '/opt/bin' } },
    { env: { ANTHROPIC_API_KEY: ' k \n' }, gives: { providers: { anthropic: { apiKey: 'k' } } } },
    { env: { ANTHROPIC_API_KEY: '  ' }, gives: { providers: {} } },
    {
      env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1/x' },
      gives: { providers: { anthropic: { apiKey: 'k', baseUrl: 'http://127.0.0.1:1/x' } } },
    },
    {
      // A server of one's own may want no key.
      env: { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' },
      gives: { providers: { openai: { baseUrl: 'http://127.0.0.1:1/v1' } } },
    },
    { env: { ECHELON_STATE_KEY: key('a') }, gives: { stateKeys: bytes(key('a')) } },
    {
      env: { ECHELON_STATE_KEY: `${key('b')}, ${key('a')}\n` },
      gives: { stateKeys: bytes(key('b'), key('a')) },
    },
    { env: { ECHELON_ISOLATION: 'none' }, gives: { allows: { isolationNone: true, network: false } } },
    { env: { ECHELON_NETWORK: 'all' }, gives: { allows: { isolationNone: false, network: true } } },
    { env: { ECHELON_NETWORK: 'true' }, gives: { allows: { isolationNone: false, network: true } } },
    { env: { NO_COLOR: '1' }, gives: { colour: false } },
  ])('$env', ({ env, gives }) => {
    expect(readSettings(env)).toMatchObject(gives);
  });

  test.each<{ env: Record<string, string>; says: string }>([
    {
      env: { ECHELON_STATE_KEY: 'a'.repeat(31) },
      says: 'ECHELON_STATE_KEY: each key needs at least 32 characters',
    },
    {
      env: { ECHELON_STATE_KEY: `${key('a')},short` },
      says: 'ECHELON_STATE_KEY: each key needs at least 32 characters',
    },
    {
      env: { ANTHROPIC_BASE_URL: 'localhost:8080' },
      says: 'ANTHROPIC_BASE_URL: not an address that begins with http:// or https://',
    },
    {
      env: { ANTHROPIC_BASE_URL: 'no address' },
      says: 'ANTHROPIC_BASE_URL: not an address that begins with http:// or https://',
    },
    {
      env: { ECHELON_ISOLATION: 'off' },
      says: 'ECHELON_ISOLATION: off is not possible; it is one of auto, none',
    },
    {
      env: { ECHELON_NETWORK: '1' },
      says: 'ECHELON_NETWORK: 1 is not possible; it is one of none, all, false, true',
    },
  ])('$env is refused', ({ env, says }) => {
    expect(() => readSettings(env)).toThrow(new Error(says));
  });

  test("what is wrong with a server's variables does not concern the others", () => {
    const env = { APP_ID: '1', PORT: 'abc' };
    expect(() => readSettings(env)).not.toThrow();
    expect(() => readServerSettings(env)).toThrow();
  });
});
