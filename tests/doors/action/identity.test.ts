// A run whose jobs show the provider whose they are, in the place of a stored key: what GitHub says of each job that asks a
// model, and that nothing of it is handed on.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { byIdentity } from '../../../src/doors/cli/init/identity.ts';
import { chooseIsolation } from '../../../packages/ground/workspace/isolation.ts';
import { organisationApi, shortLived } from '../library/organisation-api.ts';
import { idTokens } from './id-tokens.ts';
import { openOneIssue } from './one-issue.ts';

const isolation = await chooseIsolation('auto', { secretsPresent: false });
const path = '.github/workflows/echelon.yml';

test.skipIf(isolation.kind === 'none')(
  'without a stored key a draft is opened',
  { timeout: 120_000 },
  async () => {
    await using service = await organisationApi();
    const keys = { anthropic: { baseUrl: service.url } };
    await using github = await idTokens();
    const model = { provider: 'served' as const, keys };
    await using w = await openOneIssue({ 'test.sh': 'exit 0\n' }, { model, runner: github.runner });
    const of = { ANTHROPIC_FEDERATION_RULE_ID: 'fdrl_1', ANTHROPIC_ORGANIZATION_ID: 'org' };
    for (const [name, value] of Object.entries(of))
      w.forge.setActionValue('you', 'work', 'variable', name, value);
    const { content, sha } = (await w.call('GET', `/contents/${path}`)) as Record<'content' | 'sha', string>;
    const text = byIdentity(Buffer.from(content, 'base64').toString()) ?? '';
    const changed = Buffer.from(text).toString('base64');
    await w.call('PUT', `/contents/${path}`, { message: 'By identity', content: changed, sha });
    await w.directive();

    expect(await w.pull()).toMatchObject({ draft: true });
    const called = service.shown.map(({ job_workflow_ref: ref = '' }) => ref.replace(/@.*$/, ''));
    const ours = 'echelon-org/echelon/.github/workflows';
    expect(new Set(called)).toEqual(new Set([`${ours}/run-identity.yml`, `${ours}/engineer-identity.yml`]));
    for (const claims of service.shown)
      expect(claims).toMatchObject({
        aud: 'https://api.anthropic.com',
        sub: 'repo:you/work:ref:refs/heads/main',
      });
    for (const { headers } of service.asked) expect(headers.authorization).toMatch(`Bearer ${shortLived}`);

    const texts = leftBy(join(w.root, 'stage', 'forge'));
    expect(texts.some(text => text.includes('"model_calls"'))).toBe(true);
    expect(github.given.length).toBeGreaterThan(3);
    for (const secret of [shortLived, ...github.given])
      expect(texts.filter(text => text.includes(secret)).length, secret.slice(0, 40)).toBe(0);
  },
);

/** Every file of the forge, and what is in every archive and git object of it. */
function leftBy(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const unpacked = (program: string, args: string[], env = {}) =>
    execFileSync(program, args, { env: { ...process.env, ...env }, encoding: 'latin1', maxBuffer: 1 << 28 });
  return entries.flatMap(each => {
    const path = join(each.parentPath, each.name);
    if (each.isDirectory() && each.name === 'objects')
      return [unpacked('git', ['cat-file', '--batch', '--batch-all-objects'], { GIT_DIR: each.parentPath })];
    if (!each.isFile()) return [];
    return [each.name.endsWith('.zip') ? unpacked('unzip', ['-p', path]) : readFileSync(path, 'latin1')];
  });
}
