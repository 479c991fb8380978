// What doctor reads in an attestation, and that the list of files is the one that the release workflow attests.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { caller } from '../../../src/app/github/octokit.ts';
import { setUpOf } from '../../../src/app/github/set-up.ts';
import { tokenClient } from '../../../src/app/github/token-client.ts';
import { keepsAttestations } from '../../../src/doors/cli/doctor/attestation.ts';
import { isSigned } from '../../../src/doors/cli/doctor/sigstore-bundle.ts';
import { git } from '../../../src/forge/git.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { sharedWait } from '../../../src/lib/shared-wait.ts';
import { at, commit, openTestForge } from '../../forge/fixture.ts';
import { root } from './run-cli.ts';

/** Self-signed, for `.../echelon-org/echelon/.github/workflows/release.yml@refs/tags/v0.1.0`. */
const certificate = `
MIIB1DCCAXmgAwIBAgIUdEYTDj6ZLNqgnkHVRd7/wN7iVxUwCgYIKoZIzj0EAwIwDDEKMAgGA1UEAwwBYTAgFw0yNjExMjQxODQyMzdaGA8yMTI2MTAz
MTE4NDIzN1owDDEKMAgGA1UEAwwBYTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABEgrCwjm2Er7lJWjxl3UFlhXPlyldpH2UuyGx3U9MGiFaels4NAA
X0oSfl7E4iKDDsMmMA3KINIq8YZAWBIzQ/+jgbYwgbMwHQYDVR0OBBYEFPI1hBgiFNVSSiElXH/mhsI56EhjMB8GA1UdIwQYMBaAFPI1hBgiFNVSSiEl
XH/mhsI56EhjMA8GA1UdEwEB/wQFMAMBAf8wYAYDVR0RBFkwV4ZVaHR0cHM6Ly9naXRodWIuY29tL2VjaGVsb24tb3JnL2VjaGVsb24vLmdpdGh1Yi93
b3JrZmxvd3MvcmVsZWFzZS55bWxAcmVmcy90YWdzL3YwLjEuMDAKBggqhkjOPQQDAgNJADBGAiEAis/5gVcMv8fJUgLGUtp/cNk2WeyvP+bbBOO8UdvY
/4UCIQDkj6VW6aOiqwDP8NwaOp+zH1yjCuBO0fe436QYENfrNg==`;
const digest = 'ab'.repeat(32);
const signer = 'echelon-org/echelon/.github/workflows/release.yml';

function bundle(sha256: string, rawBytes = certificate) {
  const statement = {
    subject: [
      { name: 'other', digest: { sha256: 'cd' } },
      { name: 'files.txt', digest: { sha256 } },
    ],
  };
  return {
    verificationMaterial: { certificate: { rawBytes } },
    dsseEnvelope: { payload: Buffer.from(JSON.stringify(statement)).toString('base64') },
  };
}

test.each<[what: string, bundle: unknown, signer: string, signed: boolean]>([
  ['the release workflow', bundle(digest), signer, true],
  ['an older bundle with a chain', chained(bundle(digest)), signer, true],
  ['another file', bundle('ef'.repeat(32)), signer, false],
  ['another workflow', bundle(digest), signer.replace('release.yml', 'ci.yml'), false],
  ['another repository', bundle(digest), signer.replace('echelon-org', 'mallory'), false],
  ['no certificate', bundle(digest, 'AAAA'), signer, false],
  ['no bundle, which GitHub leaves out where it is large', undefined, signer, false],
  ['a payload that is no JSON', { ...bundle(digest), dsseEnvelope: { payload: 'AAAA' } }, signer, false],
])('an attestation of %s', (_what, given, by, signed) => {
  expect(isSigned(given, digest, by)).toBe(signed);
});

function chained({ dsseEnvelope, verificationMaterial: { certificate } }: ReturnType<typeof bundle>) {
  return { dsseEnvelope, verificationMaterial: { x509CertificateChain: { certificates: [certificate] } } };
}

test.each([
  ['https://api.github.com', true],
  ['https://api.acme.ghe.com', true],
  ['https://github.example.com/api/v3', false],
  ['http://127.0.0.1:3000/api/v3', false],
])('%s keeps attestations: %s', (api, keeps) => {
  expect(keepsAttestations(api)).toBe(keeps);
});

test('the list of files by the API is the one that the release workflow makes by git', async () => {
  await using t = await openTestForge();
  const clone = await t.clone('olga');
  const files = { 'a/b.txt': '1', 'a-b.txt': '2', 'a.txt': '3', 'Z/z.txt': '4' };
  const ref = await commit(clone, files, 'Files in an order of their own');
  const [, command = ''] =
    /run: (git ls-tree .*) > files\.txt/.exec(
      readFileSync(join(root, '.github/workflows/release.yml'), 'utf8'),
    ) ?? [];
  const made = execFileSync('sh', ['-c', command], { cwd: clone, encoding: 'utf8' });
  await git(clone, ['push', '--quiet', 'origin', 'main']);
  const client = tokenClient(t.forge.tokenFor('olga'), t.forge.api);
  const setUp = setUpOf(client, caller(systemClock, sharedWait(systemClock)), at);
  expect(await setUp.listing({ ...at, ref })).toBe(made);
});
