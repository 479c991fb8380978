// Three real projects with dependencies, from the label to the draft pull request: on the local GitHub's runner, by the
// workflow files that `echelon init` writes, with a key, and with what the real registries hold.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bubblewrapFault } from '../../packages/ground/workspace/isolation.ts';
import { openOneIssue } from '../doors/action/one-issue.ts';
import { organisationApi } from '../doors/library/organisation-api.ts';

const apiKey = 'sk-ant-api03-Zq7vNotAKeyOfAnyoneButLongEnoughToBeFound00-AA';
const fault = await bubblewrapFault();

interface Project {
  name: string;
  /** Installs from this registry. */
  registry: string;
  program: string;
  test: string;
  setup: string;
  /** In the end of the tests' output: all of them ran, with their dependencies. */
  counted: RegExp;
  /** In the text of the draft. */
  drafted: string;
}

const projects: Project[] = [
  {
    name: 'typescript',
    registry: 'https://registry.npmjs.org/vitest',
    program: 'npm',
    test: 'Tests: `npm test` (from `package.json`)',
    setup: 'Setup: `npm ci` (from `package-lock.json`)',
    counted: /Tests +2 passed \(2\)/,
    drafted: '- src/mark.spec.ts (2 tests)',
  },
  {
    name: 'python',
    registry: 'https://pypi.org/simple/pytest/',
    program: 'python3',
    // With plain pytest it is one test.
    test: 'Tests: `python3 -m pytest --doctest-modules` (from `tox.ini, [testenv] commands`)',
    setup:
      'Setup: `PIP_BREAK_SYSTEM_PACKAGES=1 python3 -mpip install --user -r requirements.txt` (from `tox.ini, [testenv] deps`)',
    counted: /2 passed/,
    drafted: '2 tests passed',
  },
  {
    name: 'go',
    registry: 'https://proxy.golang.org/github.com/google/go-cmp/@v/list',
    program: 'go',
    test: 'Tests: `make test` (from `Makefile`)',
    setup: "Setup: `go mod download && { go test -run '^$' ./... || true; }` (from `go.sum`)",
    counted: /\[4 lines of passed tests\]\nPASS/,
    drafted: '- TestSame\n- TestOther\n',
  },
];

/** Reason that a project's test cannot run here, or an empty text. */
async function lacking({ registry, program }: Project): Promise<string> {
  if (fault !== undefined) return 'no bubblewrap';
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
  } catch {
    return `no ${program}`;
  }
  const answer = await fetch(registry, { signal: AbortSignal.timeout(5000) }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok ? '' : `${new URL(registry).host} cannot be reached`;
}

/** The files of a fixture by their paths. */
function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(each => each.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(paths.map(path => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

const known = await Promise.all(projects.map(async each => ({ ...each, missing: await lacking(each) })));

for (const { missing, ...project } of known)
  test.skipIf(missing !== '')(
    `${project.name}: its tests run with its dependencies, and the draft is opened${missing && ` (skipped: ${missing})`}`,
    { timeout: 300_000 },
    async () => {
      await using service = await organisationApi();
      const keys = { anthropic: { apiKey, baseUrl: service.url } };
      await using repository = await openOneIssue(filesIn(join(import.meta.dirname, project.name)), {
        model: { provider: 'served', keys },
        processes: true,
      });
      const issue = await repository.directive();
      const view = await repository.view(issue);
      expect(view?.baseTests, JSON.stringify(view)).toMatchObject({ state: 'green' });
      expect(view?.baseTests?.tail).toMatch(project.counted);
      const board = (await repository.comments(issue))[0]?.body ?? '';
      expect(board.split('\n')[2]).toBe(`${project.test}. ${project.setup}`);
      const pull = await repository.pull();
      expect(pull).toMatchObject({ draft: true, user: { login: 'github-actions[bot]' } });
      expect(pull?.body).toContain(project.drafted);
      expect(view?.issues).toMatchObject([{ state: 'done', tests: { exit_code: 0 } }]);
      for (const { headers } of service.asked) expect(headers.authorization).toBe(`Bearer ${apiKey}`);
      expect(service.faults).toEqual([]);
    },
  );
