// The hosts that a command may reach, and the addresses that none of them may have.
import { BlockList, isIP } from 'node:net';

/**
 * Host names, each optionally with `*.` before it, or with a port behind it (default: 80 and 443). `all`: every public
 * host. An empty list: no network.
 */
export type AllowedHosts = 'all' | readonly string[];

/** `host`: as `canonicalHost` gives it. */
export interface Endpoint {
  host: string;
  port: number;
}

/**
 * Lower case, in Punycode, without a dot at the end and without brackets, as the URL standard reads it: 0x7f.1 and
 * 2130706433 are 127.0.0.1. Undefined for text that is no host.
 */
export function canonicalHost(text: string): string | undefined {
  if (text.length > 255 || !/^(?:[\p{L}\p{M}\p{N}._-]+|\[[\da-f:.]+\])$/iu.test(text)) return undefined;
  const host = URL.parse(`http://${text}/`)?.hostname.replace(/\.$/, '');
  return host?.replace(/^\[(.*)\]$/, '$1') || undefined;
}

/** `example.org:443`, as CONNECT names it (RFC 9110, 9.3.6). */
export function readAuthority(text: string): Endpoint | undefined {
  const [, name = '', digits = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  const host = canonicalHost(name);
  const port = Number(digits);
  return host === undefined || port < 1 || port > 65_535 ? undefined : { host, port };
}

/** Reason for refusing the endpoint, as a clause; undefined if it is allowed. */
export function whyRefused(hosts: AllowedHosts, { host, port }: Endpoint): string | undefined {
  const entries = hosts === 'all' ? [] : hosts.map(entryOf).filter(entry => isFor(entry, host));
  if (hosts !== 'all' && entries.length === 0) return 'add it to `network` to allow it';
  if (entries.some(entry => entry.port === port)) return undefined;
  const plain = hosts === 'all' || entries.some(entry => entry.port === undefined);
  return plain && (port === 443 || port === 80) ? undefined : `port ${port} is closed, 80 and 443 are open`;
}

type Entry = ReturnType<typeof entryOf>;

function entryOf(text: string) {
  const [, wildcard, name = '', port] = /^(\*\.)?(.*?)(?::(\d+))?$/.exec(text) ?? [];
  return {
    name: canonicalHost(name),
    below: wildcard !== undefined,
    port: port === undefined ? undefined : Number(port),
  };
}

const isFor = ({ name, below }: Entry, host: string): boolean =>
  name !== undefined && (below ? isIP(host) === 0 && host.endsWith(`.${name}`) : host === name);

/** IANA's special-purpose registries, without documentation ranges; and a metadata service with a public address. */
const closed = {
  ipv4: [
    ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
    ...['192.0.0.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/4', '240.0.0.0/4'],
    // Azure's, which hosts GitHub's runners: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
    '168.63.129.16/32',
  ],
  // Ranges that stand for addresses of IPv4 (mapped, translated, tunnelled) could lead to the ones above.
  ipv6: [
    ...['::/96', '::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '2001::/32', '2002::/16'],
    ...['fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8', '100::/64'],
  ],
} as const;

const lists = { ipv4: listOf('ipv4'), ipv6: listOf('ipv6') };

function listOf(family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of closed[family]) {
    const [net = '', prefix] = range.split('/');
    list.addSubnet(net, Number(prefix), family);
  }
  return list;
}

/** True if a command may connect to the address: not this machine, its network, or a metadata service. */
export function isPublic(address: string): boolean {
  const version = isIP(address);
  if (version === 0 || address.includes('%')) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return !lists[family].check(address, family);
}
