// Findings of doctor about a repository's settings, by tables: forks, issues, allowed actions.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { enterpriseAt } from '../../../src/doors/cli/init/look.ts';
import { allowing, refused, usedActions } from '../../../src/doors/cli/doctor/allowed-actions.ts';
import { placeFindings, serverFindings } from '../../../src/doors/cli/doctor/settings.ts';
import { personsLogin } from '../../../src/doors/cli/repository-look.ts';

describe('fork and issues', () => {
  const at = { owner: 'olga', repo: 'work' };
  const lacks = (fork: boolean, issues: boolean, allowed: boolean) =>
    placeFindings(at, { fork, issues }, allowed)
      .filter(({ state }) => state !== 'well')
      .map(({ what, fix }) => [what, fix]);

  test.each<[fork: boolean, issues: boolean, allowed: boolean, lacks: unknown[]]>([
    [false, true, false, []],
    [true, true, true, []],
    [true, true, false, [['fork', expect.stringMatching(/^npx .*echelon init --allow-fork$/)]]],
    [false, false, false, [['issues', 'gh repo edit olga/work --enable-issues']]],
  ])('fork %j, issues %j, allowed %j', (fork, issues, allowed, expected) => {
    expect(lacks(fork, issues, allowed)).toEqual(expected);
  });
});

test.each([
  ['https://github.com', 0],
  ['https://octo.ghe.com', 0],
  ['http://127.0.0.1:3000', 0],
  ['https://github.example.com', 1],
])('workflows on %s: %i problems', (web, count) => {
  const found = serverFindings(enterpriseAt(new URL(web)));
  expect(found.map(({ state, fix }) => [state, fix])).toEqual(
    Array(count).fill(['missing', expect.stringMatching(/ init --app$/)]),
  );
});

describe('selected actions', () => {
  const commit = 'a'.repeat(40);
  const used = usedActions(`echelon-org/echelon@${commit}`, false);
  const ours = used.filter(each => each.startsWith('echelon-org/'));

  test('all that a run uses is named, by its commit, and nothing of this project alone', () => {
    expect(ours).toContain(`echelon-org/echelon/.github/workflows/run.yml@${commit}`);
    expect(ours).toContain(`echelon-org/echelon/action@${commit}`);
    expect(used.filter(each => !/@[\da-f]{40}$/.test(each))).toEqual([]);
    expect(used.some(each => each.startsWith('actions/upload-artifact@'))).toBe(true);
    expect(used.some(each => /^actions\/attest|-identity/.test(each))).toBe(false);
    const byIdentity = usedActions(`echelon-org/echelon@${commit}`, true);
    expect(byIdentity).toContain(`echelon-org/echelon/.github/workflows/engineer-identity.yml@${commit}`);
  });

  test.each<[what: string, owner: string, allowed: Parameters<typeof refused>[2], lacks: string[]]>([
    ['nothing', 'olga', {}, used],
    ["GitHub's own", 'olga', { github_owned_allowed: true }, ours],
    ['both', 'olga', { github_owned_allowed: true, patterns_allowed: ['echelon-org/echelon/*'] }, []],
    ['both in another case', 'olga', { github_owned_allowed: true, patterns_allowed: ['Echelon-Org/*'] }, []],
    ['everything by a pattern', 'olga', { patterns_allowed: ['*'] }, []],
    ["the owner's own", 'echelon-org', { github_owned_allowed: true }, []],
    [
      'one that a ban takes out',
      'olga',
      { github_owned_allowed: true, patterns_allowed: ['*', '!echelon-org/*'] },
      ours,
    ],
    [
      'another owner of like name',
      'olga',
      { github_owned_allowed: true, patterns_allowed: ['echelon-org/x*'] },
      ours,
    ],
  ])('%s', (_what, owner, allowed, lacks) => {
    expect(refused(used, owner, allowed)).toEqual(lacks);
  });

  test('the remedy keeps what is allowed, and allows enough', () => {
    const before = { github_owned_allowed: false, verified_allowed: true, patterns_allowed: ['docker/*'] };
    const words = allowing(refused(used, 'olga', before), before);
    expect(words).toEqual([
      ...['-F', 'github_owned_allowed=true', '-F', 'verified_allowed=true'],
      ...['-f', 'patterns_allowed[]=docker/*', '-f', 'patterns_allowed[]=echelon-org/echelon/*'],
    ]);
    const after = { github_owned_allowed: true, patterns_allowed: ['docker/*', 'echelon-org/echelon/*'] };
    expect(refused(used, 'olga', after)).toEqual([]);
  });
});

test.for<[web: string, token: string | undefined]>([
  ['https://github.com/', 'mine'],
  ['https://acme.ghe.com/', 'mine'],
  ['http://localhost:3000/', 'mine'],
  ['https://git.example.org/', undefined],
])('the token of github.com at %s: %s', async ([web, token]) => {
  vi.stubEnv('PATH', '/nowhere');
  vi.stubEnv('GITHUB_TOKEN', 'mine');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect((await personsLogin(enterpriseAt(new URL(web)))).token).toBe(token);
});
