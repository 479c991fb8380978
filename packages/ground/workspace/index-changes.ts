// Holds the changes of an index against what may be delivered. It looks at what git made of a patch, not at the patch.
import { setImmediate } from 'node:timers/promises';
import { type Effort, readGlob } from '../lib/glob-match.ts';
import { present } from '../lib/present.ts';
import type { BundleFault } from './bundle.ts';
import type { GitOptions } from './git.ts';
import type { IndexChange } from './git-listing.ts';
import { ObjectReader } from './object-reader.ts';
import { fold, isNamed, linkFault, pathFault } from './paths.ts';
import { secretForms } from '../lib/secret-forms.ts';

export interface BundleLimits {
  files: number;
  patchBytes: number;
  fileBytes: number;
}

/** Sizes that a person can still review and GitHub accepts without trouble. */
export const bundleLimits: BundleLimits = { files: 100, patchBytes: 4 << 20, fileBytes: 1 << 20 };

/**
 * Protected unless the repository takes it out: what runs in its name, in any CI or on a contributor's machine without being
 * asked for (hooks and MCP servers of coding agents are programs), and who reviews what. Matched in lower case.
 */
export const defaultProtectedPaths = `
  .github/workflows/** .github/actions/** .github/echelon* .github/dependabot.{yml,yaml}
  CODEOWNERS .github/CODEOWNERS docs/CODEOWNERS
  .gitlab-ci.yml .gitlab/ci/** .circleci/** .travis.yml Jenkinsfile* azure-pipelines* .azure-pipelines/** .buildkite/**
  .drone.{yml,yaml} .woodpecker* .woodpecker/** bitbucket-pipelines.yml {.,}appveyor.yml .cirrus.* .semaphore/**
  .teamcity/** .builds/** .build.yml {.gitea,.forgejo}/** cloudbuild.{yml,yaml} buildspec.{yml,yaml}
  .tekton/** .zuul.yaml .zuul.d/** .taskcluster.yml codemagic.yaml bitrise.yml
  .husky/** .githooks/** {.,}lefthook* .pre-commit-config.yaml .overcommit.yml .simple-git-hooks* **/.envrc .lfsconfig
  .devcontainer/** .devcontainer.json .gitpod* **/.vscode/{tasks,mcp}.json
  **/.claude/settings*.json **/.claude/hooks/** **/.mcp.json **/.cursor/** **/.gemini/** **/.codex/**
  **/.yarn/{releases,plugins}/** **/.pnpmfile.{cjs,mjs} **/*-wrapper.jar **/.mvn/{extensions.xml,jvm.config,maven.config}`
  .trim()
  .split(/\s+/);

/**
 * Files that instruct coding agents, that package managers, builds, shells and editors run, that tell bots of a repository
 * what to do in its name; and those that fold a diff.
 */
const named = [
  /(^|\/)((agents|agents\.override|claude|claude\.local|gemini|qwen)\.md|\.(cursorrules|windsurfrules|clinerules))$/,
  /(^|\/)(\.aider\.conf\.yml|opencode\.jsonc?|\.crush\.json|\.goosehints|\.rules|copilot-instructions\.md)$/,
  /(^|\/)\.(claude|junie|kiro|roo|windsurf|clinerules|continue|zed|opencode|amazonq|qwen|agents|augment|trae)\//,
  /(^|\/)\.github\/((instructions|prompts|agents|hooks|copilot|skills|echelon)\/|[^/]+\.(ya?ml|json5?)$)/,
  /(^|\/)(action\.ya?ml|\.npmrc|\.yarnrc(\.yml)?|pip\.conf|bunfig\.toml|\.gitattributes|\.pre-commit-hooks\.yaml)$/,
  /(^|\/)((gradle|maven)-wrapper\.properties|(gradlew|mvnw)(\.bat|\.cmd)?|gradle\.properties|nuget\.config)$/,
  /(^|\/)(\.pnp\.[cm]js|\.pnp\.loader\.mjs|\.?mise\.toml|\.tool-versions|rust-toolchain(\.toml)?|\.bazelrc)$/,
  /(^|\/)\.(rprofile|pryrc|irbrc|gdbinit|lldbinit|ghci|exrc|nvim\.lua|dir-locals\.el|replit)$/,
  /(^|\/)\.(cargo|bundle|vscode|idea|vs)\/|^\.config\/mise/,
  /^(renovate\.json5?|\.renovaterc(\.json)?|\.?mergify\.yml|\.coderabbit\.yaml|\.packit\.ya?ml)$/,
  /^(\.readthedocs\.ya?ml|(netlify|fly)\.toml|vercel\.json|render\.yaml|eas\.json)$|(^|\/)owners(_aliases)?$/,
];

/** True if reviewers should know of a change to the file (or link to a folder), although work may need it. */
export const isNamedToReviewers = (path: string): boolean =>
  named.some(each => each.test(fold(path)) || each.test(`${fold(path)}/`));

export interface Rules {
  limits: BundleLimits;
  /** Globs of the repository besides the default; `!glob` takes out of that. Matched in any spelling of a path. */
  protectedPaths: string[];
  secrets: string[];
}

const modes = new Set(['100644', '100755', '120000', '000000']);

/** Matching effort between two turns of the event loop. */
const effortOfTurn = 500_000;

/** Engineers may add these files, but no folder of such a name, all of which would be free. */
const lessons = '!.github/echelon/lessons/*.md';

/** Faults that show in the names alone, of at most `limits.files` paths; of more only that they are too many. */
export async function nameFaults(paths: readonly string[], rules: Rules): Promise<BundleFault[]> {
  const { limits, protectedPaths, secrets } = rules;
  const beyond = paths[limits.files];
  if (beyond !== undefined)
    return [
      {
        path: beyond,
        reason: `is one of ${paths.length} changed files; at most ${limits.files} are allowed`,
      },
    ];
  // The first glob over a path decides: the repository's own, then what it takes out of the default, then the default.
  const [taken, own] = [true, false].map(is => protectedPaths.filter(text => text.startsWith('!') === is));
  const guards = [...own!, ...taken!, lessons, ...defaultProtectedPaths].map(text => ({
    ...{ text, free: text.startsWith('!') },
    glob: readGlob(text.replace(/^!/, '').normalize('NFKC').toLowerCase()),
  }));
  const faults: BundleFault[] = [];
  let effort: Effort = { left: effortOfTurn };
  for (const path of paths) {
    let reason = plainNameFault(path, secrets);
    for (const { text, free, glob } of guards) {
      if (reason !== undefined) break;
      // A protected folder protects its content. An unmatchable pattern counts as protecting.
      if (!glob) reason = `cannot be told from what ${text} protects`;
      else if ((text === lessons ? glob.matches : glob.covers)(fold(path), effort)) {
        if (free) break;
        reason = `is protected by ${text}`;
      }
      if (effort.left > 0) continue;
      effort = { left: effortOfTurn };
      await setImmediate();
    }
    if (reason !== undefined) faults.push({ path, reason });
  }
  return faults;
}

function plainNameFault(path: string, secrets: string[]): string | undefined {
  const fault = pathFault(path);
  if (fault) return fault;
  if (isNamed(path, '.gitmodules')) return 'would add or change submodules';
  return holdsSecret(Buffer.from(path), secrets) ? 'contains a secret in its name' : undefined;
}

/** Shorter secrets would be found everywhere. */
const shortestSecret = 8;

const holdsSecret = (bytes: Buffer, secrets: readonly string[]): boolean =>
  secrets.flatMap(each => secretForms(each, shortestSecret)).some(form => bytes.includes(form));

/** Globs of the folders that protected files lie in: a link in the place of one would bring others in. */
function foldersAbove(glob: string): string[] {
  const folders = glob.startsWith('!') ? [] : glob.split('/').slice(0, -1);
  return folders.map((_, n) => folders.slice(0, n + 1).join('/')).filter(folder => folder !== '**');
}

/** Everything that speaks against the changes, by path; empty when they may be delivered. */
export async function changeFaults(
  changes: IndexChange[],
  rules: Rules,
  options: GitOptions,
): Promise<BundleFault[]> {
  const named = await nameFaults(
    changes.map(({ path }) => path),
    rules,
  );
  if (changes.length > rules.limits.files) return named;
  const links = changes.filter(({ newMode }) => newMode === '120000').map(({ path }) => path);
  const protectedPaths = [...rules.protectedPaths, ...defaultProtectedPaths].flatMap(foldersAbove);
  const leading = await nameFaults(links, { ...rules, protectedPaths });
  const faults = new Map([...leading, ...named].map(fault => [fault.path, fault]));
  const rest = changes.filter(({ path }) => !faults.has(path));
  const objects = new ObjectReader(options);
  try {
    for (const change of rest) {
      options.signal?.throwIfAborted();
      const reason = modeFault(change) ?? (await contentFault(change, rules, objects));
      if (reason) faults.set(change.path, { path: change.path, reason });
    }
  } finally {
    objects.end();
  }
  return [...faults.values()];
}

function modeFault({ oldMode, newMode }: IndexChange): string | undefined {
  if (newMode === '160000' || oldMode === '160000') return 'is a submodule';
  return modes.has(newMode) ? undefined : `has the file mode ${newMode}`;
}

async function contentFault(
  { path, oldMode, newMode, oldOid, newOid }: IndexChange,
  rules: Rules,
  objects: ObjectReader,
): Promise<string | undefined> {
  if (newMode === '000000') return undefined;
  const { size } = present(await objects.ask('info', newOid), newOid);
  if (size > rules.limits.fileBytes)
    return `has ${size} bytes; at most ${rules.limits.fileBytes} are allowed`;
  const { bytes: content } = present(await objects.ask('contents', newOid), newOid);
  if (holdsSecret(content, rules.secrets)) return 'contains a secret';
  if (newMode === '120000') return linkFault(path, content.toString('utf8'));
  if (isNamed(path, '.gitattributes')) {
    const before = oldMode.startsWith('10') ? await objects.ask('contents', oldOid) : undefined;
    const known = new Set(String(before?.bytes ?? '').split('\n'));
    const added = content
      .toString('utf8')
      .split('\n')
      .filter(line => !known.has(line));
    if (added.some(line => /\sfilter(\s|=|$)/.test(line)))
      return 'sets a filter, which could run a program where it is checked out';
  }
  return undefined;
}
