// Releases the Action: `npm run release -- vX.Y.Z [--dry-run] [--push]`. The build becomes a commit on no branch, whose
// parent is main's head; vX.Y.Z names it, and vX moves to it, as GitHub asks of actions (docs/decisions/0019).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, root } from './build.ts';

/** The reason that nothing is released, with the remedy. */
class Refused extends Error {}

interface Plan {
  version: string;
  /** The tag that moves: `v1` of `v1.2.3`. */
  major: string;
  /** Main's head: the source of the build and the commit's parent. */
  parent: string;
  push: boolean;
}

const remote = 'origin';
const form = /^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

function git(
  args: readonly string[],
  { input, index }: { input?: Uint8Array | string; index?: string } = {},
) {
  return execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
    ...(input !== undefined && { input }),
    env: { ...process.env, ...(index !== undefined && { GIT_INDEX_FILE: index }) },
  }).trim();
}

/** Returns the steps to take, or a refusal. Changes nothing. */
function planned(args: readonly string[]): Plan & { dryRun: boolean } {
  const [version = '', ...options] = args;
  const parts = form.exec(version);
  const unknown = options.find(option => option !== '--dry-run' && option !== '--push');
  if (!parts || unknown !== undefined)
    throw new Refused('call it as: npm run release -- vX.Y.Z [--dry-run] [--push]');
  const parent = git(['rev-parse', 'HEAD']);
  if (parent !== git(['rev-parse', 'refs/heads/main']))
    throw new Refused("this is not main's head: git switch main");
  if (git(['status', '--porcelain']) !== '')
    throw new Refused('the work tree has changes: commit them, or take them away');
  const named = `v${(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version}`;
  if (named !== version)
    throw new Refused(`package.json says ${named}: set its version on main first, or release ${named}`);
  const push = options.includes('--push');
  if (push && git(['ls-remote', remote, 'refs/heads/main']).split('\t')[0] !== parent)
    throw new Refused(`main of ${remote} is another commit: push or pull main first`);
  const major = `v${parts[1]}`;
  const tags = push
    ? git(['ls-remote', '--refs', remote, 'refs/tags/v*']).replace(/^.*\trefs\/tags\//gm, '')
    : git(['tag', '--list', 'v*']);
  for (const tag of tags.split('\n')) {
    if (tag === version) throw new Refused(`the tag ${version} exists: a version is released once`);
    if (form.exec(tag)?.[1] === parts[1] && newer(tag, version))
      throw new Refused(`${tag} is newer, and ${major} would move back: release a version after it`);
  }
  return { version, major, parent, push, dryRun: options.includes('--dry-run') };
}

/** True if a version comes after another one of the same form. */
function newer(tag: string, version: string): boolean {
  return tag.localeCompare(version, 'en', { numeric: true }) > 0;
}

/** The commit of the build, made beside the work tree and its index. */
function commit({ version, parent }: Plan, files: ReadonlyMap<string, Uint8Array>): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-release-'));
  try {
    const index = join(folder, 'index');
    git(['read-tree', parent], { index });
    const entries = [...files].map(
      ([path, bytes]) => `100644 ${git(['hash-object', '-w', '--stdin'], { input: bytes })}\t${path}\n`,
    );
    git(['update-index', '--add', '--index-info'], { index, input: entries.join('') });
    return git(['commit-tree', git(['write-tree'], { index }), '-p', parent, '-m', `Release ${version}`]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Both tags or none; first those of the remote, so that a refused push leaves nothing behind. */
function tag({ version, major, push }: Plan, made: string): void {
  const pushed = [`${made}:refs/tags/${version}`, `+${made}:refs/tags/${major}`];
  if (push) git(['push', '--quiet', '--atomic', remote, ...pushed]);
  git(['update-ref', '--stdin'], {
    input: `create refs/tags/${version} ${made}\nupdate refs/tags/${major} ${made}\n`,
  });
}

async function release(args: readonly string[]): Promise<void> {
  const plan = planned(args);
  const { version, major, parent, push, dryRun } = plan;
  const files = await build();
  const lines = [
    `commits ${[...files.keys()].join(', ')} on ${parent.slice(0, 12)}, on no branch`,
    `tags it ${version}, and moves ${major} to it`,
    push
      ? `pushes both tags to ${remote}`
      : `pushes nothing; to do so: git push --atomic ${remote} ${version} +${major}`,
  ];
  if (!dryRun) tag(plan, commit(plan, files));
  console.log([dryRun ? 'This would be done:' : 'Done:', ...lines].join('\n- '));
}

try {
  await release(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  console.error(`Nothing is released: ${error.message}`);
  process.exitCode = 1;
}
