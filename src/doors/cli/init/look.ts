// Facts that `echelon init` reads from a clone: remote, default branch, languages, test command.
import { extname } from 'node:path';
import { git, GitError } from '@echelon/ground/workspace';
import { Config, configPath, parseConfig } from '../../../app/config.ts';
import type { Provider } from '../../../engine/models/provider-keys.ts';
import { modelFinding } from '../doctor/models.ts';
import { projectCommands, projectFiles } from '../../../app/set-up.ts';

export interface Clone {
  /** Root of the work tree. */
  folder: string;
  /** `owner/name` on GitHub, of the remote `origin`; undefined where there is none. */
  repository: string | undefined;
  /** The GitHub Enterprise server it is on; undefined for github.com. */
  enterprise: Enterprise | undefined;
  /** Pushed to over HTTP, with a login whose scopes count; over SSH a key decides. */
  overHttp: boolean;
  /** Settings of the repository's configuration, or their defaults. */
  label: string;
  execution: Config['execution'];
  /** Providers of the models that it names. */
  providers: Provider[];
  network: Config['network'];
  branch: string;
  /** The newest commit of the default branch that is known here. */
  commit: string;
  test: string;
  /** By how many files are written in them, the most first. */
  languages: string[];
}

export interface Enterprise {
  /** `local`: the local GitHub, on this machine. `cloud`: GitHub Enterprise Cloud with data residency. */
  kind: 'local' | 'cloud' | 'server';
  /** With the port, where it has one of its own. */
  host: string;
  /** Base URL of the REST API. */
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
function placeOf(origin: string): Pick<Clone, 'repository' | 'enterprise' | 'overHttp'> {
  const [, address, repository] =
    /^((?:https?|ssh):\/\/[^/]+\/|[^/@]+@[^:/]+:)([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(origin) ?? [];
  const url = URL.parse(address?.replace(/^[^/@]+@([^:/]+):$/, 'ssh://$1/') ?? '');
  if (!url) return { repository, enterprise: undefined, overHttp: false };
  return { repository, overHttp: url.protocol !== 'ssh:', enterprise: enterpriseAt(url) };
}

/** Undefined: github.com. */
export function enterpriseAt({ protocol, host: withPort, hostname }: URL): Enterprise | undefined {
  const web = protocol !== 'ssh:';
  // Over ssh a port is not the web's, and a name without a dot, or `github.com-work`, is one of the person's ssh
  // configuration, which cannot be known here.
  const host = web ? withPort : hostname;
  if (/^(?:ssh\.|www\.)?github\.com(?:-|$)/.test(host) || (!web && !host.includes('.'))) return undefined;
  const scheme = web ? protocol : 'https:';
  const kind = kindOf(hostname);
  return { kind, host, api: kind === 'cloud' ? `${scheme}//api.${host}` : `${scheme}//${host}/api/v3` };
}

const kindOf = (hostname: string): Enterprise['kind'] => {
  if (/^(?:(?:.*\.)?localhost|127\.[\d.]+|\[::1\])$/.test(hostname)) return 'local';
  // https://docs.github.com/enterprise-cloud@latest/admin/data-residency
  return hostname.endsWith('.ghe.com') ? 'cloud' : 'server';
};

/** A configuration with problems tells nothing. */
function settingsOf(text: string): Pick<Clone, 'label' | 'execution' | 'providers' | 'network'> {
  const read = parseConfig(text);
  const config = 'config' in read ? read.config : Config.parse({});
  const { label, execution, network } = config;
  return { label, execution, network, providers: modelFinding(config).asked };
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
