// What `echelon init` finds in a clone: where it comes from, its default branch, its languages, its test command.
import { extname } from 'node:path';
import { parseConfig } from '../../../app/config/config-file.ts';
import { Config, configPath } from '../../../app/config/config.ts';
import type { Provider } from '../../../engine/models/provider-keys.ts';
import { modelFinding } from '../doctor/models.ts';
import { projectCommands } from '../../../app/engineer/project-commands.ts';
import { projectFiles } from '../../../app/engineer/project-files.ts';
import { git, GitError } from '../../../workspace/git.ts';

export interface Clone {
  /** Root of the work tree. */
  folder: string;
  /** `owner/name` on GitHub, of the remote `origin`; undefined where there is none. */
  repository: string | undefined;
  /** The GitHub Enterprise server that it is on, and the base URL of its API; undefined for github.com. */
  enterprise: Enterprise | undefined;
  /** What the repository's configuration says, or what holds where it says nothing. */
  label: string;
  execution: Config['execution'];
  /** Whose models it names. */
  providers: Provider[];
  branch: string;
  /** The newest commit of the default branch that is known here. */
  commit: string;
  test: string;
  /** By how many files are written in them, the most first. */
  languages: string[];
}

export interface Enterprise {
  /** With the port, where it has one of its own. */
  host: string;
  api: string;
}

/** Bytes of a file that is read to guess the test command. */
const MAX_FILE = 1 << 20;

/** The clone around `folder`, or why there is nothing to set up. */
export async function lookAt(folder: string): Promise<Clone | { problem: string }> {
  const ask = (cwd: string, ...args: string[]) =>
    git(args, { cwd }).then(
      text => text.trim(),
      (error: unknown) => {
        if (error instanceof GitError) return undefined;
        throw error;
      },
    );
  const root = await ask(folder, 'rev-parse', '--show-toplevel');
  if (!root) return { problem: `${folder} is not in a git repository: run this in a clone of yours` };
  const origin = await ask(root, 'remote', 'get-url', 'origin');
  const remoteHead = await ask(root, 'symbolic-ref', '--short', 'refs/remotes/origin/HEAD');
  const branch = remoteHead?.replace(/^origin\//, '') ?? (await ask(root, 'symbolic-ref', '--short', 'HEAD'));
  if (!branch)
    return { problem: 'no branch is checked out, and origin tells no default branch: git switch main' };
  const commit =
    (await ask(root, 'rev-parse', '--verify', '--quiet', `refs/remotes/origin/${branch}^{commit}`)) ??
    (await ask(root, 'rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`));
  if (!commit) return { problem: `the branch ${branch} has no commit yet: push one first` };
  const paths = (await git(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit], { cwd: root }))
    .split('\0')
    .filter(Boolean);
  const read = (path: string) => git(['show', `${commit}:${path}`], { cwd: root, maxBytes: MAX_FILE });
  return {
    folder: root,
    ...placeOf(origin ?? ''),
    ...settingsOf(paths.includes(configPath) ? await read(configPath) : ''),
    branch,
    commit,
    test: (await projectCommands(projectFiles(paths, read), {})).test,
    languages: languagesOf(paths),
  };
}

/** Of `https://host/owner/name.git`, `git@host:owner/name.git` or `ssh://git@host/owner/name`. */
function placeOf(origin: string): Pick<Clone, 'repository' | 'enterprise'> {
  const [, address, repository] =
    /^((?:https?|ssh):\/\/[^/]+\/|[^/@]+@[^:/]+:)([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(origin) ?? [];
  const url = URL.parse(address?.replace(/^[^/@]+@([^:/]+):$/, 'ssh://$1/') ?? '');
  if (!url) return { repository, enterprise: undefined };
  const web = url.protocol !== 'ssh:';
  // Over ssh a port is not the web's, and a name without a dot, or `github.com-work`, is one of the person's ssh
  // configuration, which cannot be known here.
  const host = web ? url.host : url.hostname;
  const ours = /^(?:ssh\.|www\.)?github\.com(?:-|$)/.test(host) || (!web && !host.includes('.'));
  const api = `${web ? url.protocol : 'https:'}//${host}/api/v3`;
  return { repository, enterprise: ours ? undefined : { host, api } };
}

/** A configuration with problems tells nothing. */
function settingsOf(text: string): Pick<Clone, 'label' | 'execution' | 'providers'> {
  const read = parseConfig(text);
  const config = 'config' in read ? read.config : Config.parse({});
  return { label: config.label, execution: config.execution, providers: modelFinding(config).asked };
}

const names: Record<string, string> = {
  '.ts': 'TypeScript',
  '.tsx': 'TypeScript',
  '.js': 'JavaScript',
  '.mjs': 'JavaScript',
  '.py': 'Python',
  '.go': 'Go',
  '.rs': 'Rust',
  '.java': 'Java',
  '.kt': 'Kotlin',
  '.rb': 'Ruby',
  '.php': 'PHP',
  '.c': 'C',
  '.cpp': 'C++',
  '.cs': 'C#',
  '.swift': 'Swift',
};

function languagesOf(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const name = names[extname(path)];
    if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name);
}
