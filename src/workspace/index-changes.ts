// Holds the changes of an index against what may be delivered. It looks at what git made of a patch, not at the patch.
import { setImmediate } from 'node:timers/promises';
import { type Effort, readGlob } from '../lib/glob-match.ts';
import { present } from '../lib/present.ts';
import type { BundleFault } from './bundle.ts';
import { blobSizes, readBlobs } from './blobs.ts';
import { type GitOptions, git } from './git.ts';
import { fold, isNamed, linkFault, pathFault } from './paths.ts';
import { secretForms } from './secret-forms.ts';

export interface BundleLimits {
  files: number;
  patchBytes: number;
  fileBytes: number;
}

/** What a person can still review, and what GitHub takes without trouble. */
export const bundleLimits: BundleLimits = { files: 100, patchBytes: 4 << 20, fileBytes: 1 << 20 };

/**
 * What a repository keeps for people to change: what runs in its name or on a contributor's machine, and who has to
 * review what. Matched in lower case, whatever the case of the path.
 */
export const defaultProtectedPaths = [
  '.github/workflows/**',
  '.github/actions/**',
  '.github/echelon*',
  '.github/dependabot.yml',
  '.github/dependabot.yaml',
  'CODEOWNERS',
  '.github/CODEOWNERS',
  'docs/CODEOWNERS',
  '.husky/**',
  '.githooks/**',
  '.devcontainer/**',
  '.devcontainer.json',
  '.vscode/tasks.json',
  '.lfsconfig',
];

/** What coding agents read as instructions, at any depth. */
const instructions =
  /(^|\/)(agents\.md|claude\.md|gemini\.md|\.cursorrules|\.github\/copilot-instructions\.md)$/;

/** Whether the file tells coding agents what to do: whoever reviews a change of it should know. */
export const isInstructions = (path: string): boolean => instructions.test(fold(path));

export interface IndexChange {
  path: string;
  oldMode: string;
  newMode: string;
  oldOid: string;
  newOid: string;
}

export interface Rules {
  limits: BundleLimits;
  protectedPaths: string[];
  secrets: string[];
}

const modes = new Set(['100644', '100755', '120000', '000000']);

/** The changes of the index against a commit, renames as a deletion and an addition. */
export async function indexChanges(base: string, options: GitOptions): Promise<IndexChange[]> {
  const args = ['diff-index', '--cached', '--raw', '--no-abbrev', '--no-renames', '-z', base];
  const raw = (await git(args, options)).split('\0');
  const changes: IndexChange[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [oldMode, newMode, oldOid, newOid] = raw[at]!.slice(1).split(' ');
    changes.push({
      path: raw[at + 1]!,
      oldMode: oldMode!,
      newMode: newMode!,
      oldOid: oldOid!,
      newOid: newOid!,
    });
  }
  return changes;
}

/** What matching costs between two turns of the event loop. */
const effortOfTurn = 500_000;

/**
 * Faults that show in the names alone, of at most `limits.files` paths; of more only that they are too many.
 * `protectedPaths` are matched in any spelling a file system may take for them.
 */
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
  const guards = protectedPaths.map(text => ({ text, glob: readGlob(text.normalize('NFKC').toLowerCase()) }));
  const faults: BundleFault[] = [];
  let effort: Effort = { left: effortOfTurn };
  for (const path of paths) {
    let reason = plainNameFault(path, secrets);
    for (const { text, glob } of guards) {
      if (reason !== undefined) break;
      // What protects a folder protects what is in it. What cannot be matched counts as protected.
      if (!glob) reason = `cannot be told from what ${text} protects`;
      else if (glob.covers(fold(path), effort)) reason = `is protected by ${text}`;
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
  const faults = new Map(named.map(fault => [fault.path, fault]));
  const rest = changes.filter(({ path }) => !faults.has(path));
  const read = rest.filter(change => hasContent(change) && !modeFault(change)).map(({ newOid }) => newOid);
  const sizes = await blobSizes(read, options);
  const small = read.filter(oid => present(sizes.get(oid), oid) <= rules.limits.fileBytes);
  let blobs: ReadonlyMap<string, Buffer> = new Map();
  for (const change of rest) {
    const { path, newOid } = change;
    if (small.includes(newOid) && !blobs.has(newOid)) {
      const next = together(small.slice(small.indexOf(newOid)), sizes);
      blobs = await readBlobs(next.oids, next.bytes, options);
    }
    const reason =
      modeFault(change) ??
      (hasContent(change)
        ? await contentFault(change, present(sizes.get(newOid), newOid), blobs.get(newOid), rules, options)
        : undefined);
    if (reason) faults.set(path, { path, reason });
  }
  return [...faults.values()];
}

/** So many bytes of files are held at once, or one file. */
const heldBytes = 8 << 20;

/** The first of the blobs, as many as may be held. */
function together(oids: readonly string[], sizes: ReadonlyMap<string, number>) {
  let bytes = 0;
  const end = oids.findIndex((oid, at) => (bytes += sizes.get(oid) ?? 0) > heldBytes && at > 0);
  return { oids: end < 0 ? oids : oids.slice(0, end), bytes };
}

const hasContent = ({ newMode }: IndexChange) => newMode !== '000000';

function modeFault({ oldMode, newMode }: IndexChange): string | undefined {
  if (newMode === '160000' || oldMode === '160000') return 'is a submodule';
  return modes.has(newMode) ? undefined : `has the file mode ${newMode}`;
}

async function contentFault(
  { path, oldMode, newMode, oldOid }: IndexChange,
  size: number,
  content: Buffer | undefined,
  rules: Rules,
  options: GitOptions,
): Promise<string | undefined> {
  if (content === undefined) return `has ${size} bytes; at most ${rules.limits.fileBytes} are allowed`;
  if (holdsSecret(content, rules.secrets)) return 'contains a secret';
  if (newMode === '120000') return linkFault(path, content.toString('utf8'));
  if (isNamed(path, '.gitattributes')) {
    const before = oldMode.startsWith('10') ? await git(['cat-file', 'blob', oldOid], options) : '';
    const known = new Set(before.split('\n'));
    const added = content
      .toString('utf8')
      .split('\n')
      .filter(line => !known.has(line));
    if (added.some(line => /\sfilter(\s|=|$)/.test(line)))
      return 'sets a filter, which could run a program where it is checked out';
  }
  return undefined;
}

function holdsSecret(bytes: Buffer, secrets: string[]): boolean {
  return secrets.flatMap(secretForms).some(form => bytes.includes(form));
}
