// Secrets in every form they leak in.
import { Buffer } from 'node:buffer';
import fc from '../../properties.ts';
import { describe, expect, test } from 'vitest';
import { masker, maskValue } from '../../../packages/ground/lib/mask.ts';
import { expectLinear } from '../../cpu-time.ts';

const secret = 'p4ss/w0rd+"&x y';
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('masker', () => {
  test.each<[string, string, string]>([
    ['as it is', `a ${secret} b`, 'a *** b'],
    ['twice', `${secret}${secret}`, '******'],
    ['base64', `Basic ${base64(secret)}`, 'Basic ***'],
    ['URL-encoded', `?k=${encodeURIComponent(secret)}&`, '?k=***&'],
    [
      'URL-encoded, lower case',
      `?k=${encodeURIComponent(secret).replaceAll('%2F', '%2f').replaceAll('%2B', '%2b')}`,
      '',
    ],
    ['JSON-escaped', JSON.stringify({ k: secret }), '{"k":"***"}'],
    ['GitHub token', `ghs_${'a'.repeat(36)}`, '***'],
    ['long GitHub token', `x ghs_12_${'a'.repeat(20)}.${'b-'.repeat(20)} y`, 'x *** y'],
    ['personal token', `ghp_${'A1'.repeat(18)}`, '***'],
    ['user token', `gho_${'A1'.repeat(18)},`, '***,'],
    ['fine-grained token', `github_pat_${'a1_'.repeat(20)}`, '***'],
    ['model key', `key=sk-ant-api03-${'x'.repeat(40)}`, 'key=***'],
    ['no token', 'ghs_short and sk-ant-x', 'ghs_short and sk-ant-x'],
  ])('%s', (_name, text, masked) => {
    const out = masker([secret])(text);
    if (masked) expect(out).toBe(masked);
    expect(out).not.toContain('w0rd');
  });

  test.each([0, 1, 2, 3, 4])('base64 of a longer text, %i characters before it', before => {
    const hidden = masker(['correct-horse'])(base64(`${'u'.repeat(before)}correct-horse:tail`));
    expect(Buffer.from(hidden.replace('***', ''), 'base64').toString()).not.toContain('horse');
    expect(hidden).toContain('***');
  });

  test('overlapping secrets leave no rest', () => {
    expect(masker(['abcdefgh', 'efghijkl'])('-abcdefghijkl-')).toBe('-***-');
    expect(masker(['abcdef', 'abcdefghi'])('abcdefghi abcdef')).toBe('*** ***');
  });
  test('short values are left', () => expect(masker(['', 'a', '12345'])('a 12345')).toBe('a 12345'));
  test('each line of a private key', () => {
    const key = `-----BEGIN KEY-----\n${'A'.repeat(64)}\n${'B'.repeat(30)}\n-----END KEY-----`;
    expect(masker([key])(`x\n  ${'A'.repeat(64)}\n  ${'B'.repeat(30)}`)).toBe('x\n  ***\n  ***');
  });
  test('property: no secret is left', () => {
    const secrets = fc.array(fc.string({ minLength: 6, unit: fc.constantFrom('a', 'b', '/', '"') }), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(secrets, fc.string({ unit: fc.constantFrom('a', 'b', '/', '"', ' ') }), (all, text) => {
        const out = masker(all)([text, ...all].join(text));
        for (const one of all) expect(out).not.toContain(one);
      }),
    );
  });
  test('linear on hostile text', () => {
    const mask = masker(['aaaaaaaaab', 'aaaaaaaa']);
    expectLinear(mask, size => 'a'.repeat(size), 1_000_000);
    expectLinear(mask, size => 'ghs_'.repeat(size / 4), 1_000_000);
  });
});

describe('a value', () => {
  const mask = masker(['needle-value', '1234567']);
  test.each<[string, Parameters<typeof maskValue>[0], unknown]>([
    ['text that JSON escapes', { n: 'a\\needle-value"' }, { n: 'a\\***"' }],
    ['names', { 'needle-value': [{ x: 'needle-value' }] }, { '***': [{ x: '***' }] }],
    ['numbers stay', { n: 1234567, b: true, z: null }, { n: 1234567, b: true, z: null }],
    ['a name of every object', JSON.parse('{"__proto__":"needle-value"}'), JSON.parse('{"__proto__":"***"}')],
  ])('%s', (_name, value, masked) => {
    expect(JSON.stringify(maskValue(value, mask))).toBe(JSON.stringify(masked));
  });
  test('numbers become text where they are asked for', () => {
    expect(maskValue({ n: [1234567, 1] }, mask, { numbers: true })).toEqual({ n: ['***', 1] });
  });
});
