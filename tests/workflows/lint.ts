// Holds the workflow files against actionlint and zizmor (`npm run lint:workflows`). A linter that is not installed is
// named in one line; on GitHub's runners, where ci.yml installs both, that is a failure.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Messages of actionlint 1.7.12 about features it does not know: GitHub has `$/`, `queue` and `cache-mode` since 2026. */
const notKnownYet = [
  String.raw`^specifying action "\$/action" in invalid format because ref is missing\.`,
  String.raw`^reusable workflow call "\$/\.github/workflows/\w+\.yml" at "uses" is not following the format `,
  '^unexpected key "cache-mode" for ("job" section|"jobs" section)',
  '^unexpected key "queue" for "concurrency" section\\. expected one of "cancel-in-progress", "group"$',
];

// Neither asks the network, and scripts are not held against linters that only some machines have.
const linters = [
  {
    name: 'actionlint',
    args: [
      '-no-color',
      '-oneline',
      '-shellcheck=',
      '-pyflakes=',
      ...notKnownYet.flatMap(p => ['-ignore', p]),
    ],
  },
  { name: 'zizmor', args: ['--pedantic', '--offline', '--no-progress', '--quiet', '--color=never'] },
];

/** The workflows of this repository, the one that `echelon init` writes, and the examples. */
export const workflowFiles = (root: string): string[] => [
  ...globSync('.github/workflows/*.yml', { cwd: root }).sort(),
  'src/doors/cli/init/echelon.yml',
  'src/doors/cli/init/echelon-app.yml',
  ...globSync('examples/workflows/*.yml', { cwd: root }).sort(),
];

interface Verdict {
  linter: string;
  state: 'well' | 'findings' | 'missing';
  /** Its output. */
  text: string;
}

export function lintWorkflows(root: string, files: readonly string[]): Verdict[] {
  return linters.map(({ name, args }) => {
    const { error, status, stdout, stderr } = spawnSync(name, [...args, ...files], {
      cwd: root,
      encoding: 'utf8',
    });
    const missing = error !== undefined && 'code' in error && error.code === 'ENOENT';
    if (error && !missing) throw error;
    return {
      linter: name,
      state: missing ? 'missing' : status === 0 ? 'well' : 'findings',
      text: missing ? '' : `${stdout}${stderr}`.trim(),
    };
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = resolve(import.meta.dirname, '../..');
  const mustBeThere = process.env['GITHUB_ACTIONS'] === 'true';
  for (const { linter, state, text } of lintWorkflows(root, workflowFiles(root))) {
    if (state === 'findings') console.error(`${linter}:\n${text}`);
    if (state === 'missing')
      console.error(`${linter} is not installed: the workflows are not held against it`);
    if (state === 'findings' || (state === 'missing' && mustBeThere)) process.exitCode = 1;
  }
}
