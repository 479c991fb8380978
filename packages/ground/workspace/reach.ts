// The variables of the machine that lead to the network: its proxies, mirrors of registries and certificates. No secret.
import { existsSync, realpathSync } from 'node:fs';
import type { Shown } from './bubblewrap.ts';
import { readRegular } from './regular-file.ts';

/** Variables, with the names that the machine has for them. They are of use with the network only. */
export type Reach = Readonly<Record<string, string>>;

const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'];

/** Registries of the operator, which package managers use in the place of the public ones. */
const mirrors = [
  ...['npm_config_registry', 'NPM_CONFIG_REGISTRY', 'YARN_NPM_REGISTRY_SERVER', 'GOPROXY'],
  ...['PIP_INDEX_URL', 'UV_INDEX_URL', 'UV_DEFAULT_INDEX'],
];

/** Each a file with the certificates of who is trusted, for the programs that ask for it by that name. */
const certificates = [
  ...['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'PIP_CERT'],
  ...['GIT_SSL_CAINFO', 'CARGO_HTTP_CAINFO', 'NIX_SSL_CERT_FILE'],
];

/** Bytes; what a distribution ships is below 300 KB. */
const MAX_CERTIFICATES = 4 << 20;

/** Folder of certificates in a sandbox: no command can write there. */
const SHOWN_AT = '/run/certificates';

/** Proxies and mirrors without a user or password; of the certificates those in files that hold nothing private. */
export function reachOf(env: Readonly<Record<string, string | undefined>>): Reach {
  const reach: Record<string, string> = {};
  for (const name of [...proxies.flatMap(each => [each, each.toLowerCase()]), ...mirrors]) {
    const value = withoutUser(env[name] ?? '');
    if (value !== '') reach[name] = value;
  }
  for (const name of certificates) {
    const file = env[name] ?? '';
    if (file.startsWith('/') && isPublic(file)) reach[name] = file;
  }
  return reach;
}

/** `host:port` of each mirror. */
export const mirrorsIn = (reach: Reach): string[] =>
  mirrors
    .flatMap(name => reach[name]?.match(/https?:\/\/[^\s,|]+/g) ?? [])
    .flatMap(text => URL.parse(text) ?? [])
    .map(({ protocol, hostname, port }) => `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`);

/** Files that a sandbox must show for these variables, and their values inside. It has a proxy of its own. */
export function reachInside(reach: Reach): { env: Reach; shows: Shown[] } {
  const files = certificates.flatMap(name => {
    const from = reach[name];
    return from === undefined ? [] : [{ name, from, to: `${SHOWN_AT}/${name}` }];
  });
  return {
    env: {
      ...Object.fromEntries(
        mirrors.flatMap(name => (reach[name] === undefined ? [] : [[name, reach[name]]])),
      ),
      ...Object.fromEntries(files.map(({ name, to }) => [name, to])),
    },
    shows: files.map(({ from, to }) => ({ from, to })),
  };
}

/** Empty where a user is told in a way that cannot be taken out. */
function withoutUser(proxy: string): string {
  const plain = proxy.trim().replace(/^([a-z][\w+.-]*:\/\/)?[^/@\s]*@/i, '$1');
  return plain.includes('@') ? '' : plain;
}

/** True if the file holds certificates, and no key. */
function isPublic(file: string): boolean {
  if (!existsSync(file)) return false;
  const bytes = readRegular(realpathSync(file), MAX_CERTIFICATES);
  if (!Buffer.isBuffer(bytes)) return false;
  const text = bytes.toString('latin1');
  return text.includes('-----BEGIN') && !text.includes('PRIVATE KEY');
}
