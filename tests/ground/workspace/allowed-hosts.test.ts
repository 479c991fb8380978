// Hosts and addresses that a command may reach: spellings of one address, and ranges that lead to the machine's network.
import { expect, test } from 'vitest';
import {
  type AllowedHosts,
  canonicalHost,
  isPublic,
  readAuthority,
  whyRefused,
} from '../../../packages/ground/workspace/allowed-hosts.ts';

test.each([
  ['Example.ORG', 'example.org'],
  ['example.org.', 'example.org'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['0x7f.1', '127.0.0.1'],
  ['2130706433', '127.0.0.1'],
  ['0177.0.0.1', '127.0.0.1'],
  ['１２７.0.0.1', '127.0.0.1'],
  ['[::FFFF:10.0.0.1]', '::ffff:a00:1'],
  ['user@example.org', undefined],
  ['example.org/x', undefined],
  ['example.org#', undefined],
  ['%31%32%37.0.0.1', undefined],
  ['example.org:80', undefined],
  ['a b', undefined],
  ['', undefined],
  ['a'.repeat(300), undefined],
])('host %j', (text, host) => {
  expect(canonicalHost(text)).toBe(host);
});

test.each([
  ['example.org:443', { host: 'example.org', port: 443 }],
  ['[::1]:443', { host: '::1', port: 443 }],
  ['example.org', undefined],
  ['example.org:0', undefined],
  ['example.org:99999', undefined],
  ['example.org:4e2', undefined],
  ['a@example.org:443', undefined],
  ['http://example.org:443', undefined],
  [':443', undefined],
])('authority %j', (text, endpoint) => {
  expect(readAuthority(text)).toEqual(endpoint);
});

const listed = ['example.org', '*.files.example.org', 'bücher.example', 'mirror.example:8081', '192.0.2.7'];
const add = 'add it to `network` to allow it';
const closed = (port: number) => `port ${port} is closed, 80 and 443 are open`;

test.each<[AllowedHosts, string, string | undefined]>([
  [listed, 'example.org:443', undefined],
  [listed, 'EXAMPLE.org.:80', undefined],
  [listed, 'a.files.example.org:443', undefined],
  [listed, 'xn--bcher-kva.example:443', undefined],
  [listed, 'mirror.example:8081', undefined],
  [listed, '192.0.2.7:443', undefined],
  [listed, 'files.example.org:443', add],
  [listed, 'a.example.org:443', add],
  [listed, 'example.org.evil.example:443', add],
  [listed, 'evilexample.org:443', add],
  [listed, '192.0.2.8:443', add],
  [listed, 'example.org:22', closed(22)],
  [listed, 'mirror.example:443', closed(443)],
  [[], 'example.org:443', add],
  [['*.0.0.1'], '127.0.0.1:443', add],
  ['all', 'any.example:443', undefined],
  ['all', 'any.example:5432', closed(5432)],
])('of %j %s', (hosts, authority, why) => {
  expect(whyRefused(hosts, readAuthority(authority)!)).toBe(why);
});

test.each([
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.255.0.1', '169.254.169.254'],
  ...[
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
  ],
  ...['168.63.129.16', '::', '::1', '::ffff:10.0.0.1', '::ffff:8.8.8.8', '::7f00:1', '64:ff9b::a00:1'],
  ...[
    '64:ff9b:1::1',
    '2002:a00:1::',
    '2001::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'ff02::1',
  ],
  ...['example.org', '', '2606:4700::1111%eth0'],
])('%j is not public', address => {
  expect(isPublic(address)).toBe(false);
});

test.each(['8.8.8.8', '203.0.113.80', '172.15.0.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111'])(
  '%s is public',
  address => {
    expect(isPublic(address)).toBe(true);
  },
);
