// Makes a tree of a bundle, or says what speaks against it. Nothing of the bundle is run, no file of it is checked
// out, and until all checks have passed nothing of it is in the mirror.
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type BundleFault, type Manifest, readBundle } from './bundle.ts';
import { GitError, type GitOptions, git } from './git.ts';
import { rawChanges } from './git-listing.ts';
import { changeFaults, nameFaults, type Rules } from './index-changes.ts';
import type { Mirror } from './mirror.ts';
import { temporaryFolder } from './remove-tree.ts';

export interface AppliedBundle {
  tree: string;
  manifest: Manifest;
  /** Paths of what it changes. */
  files: string[];
}

/** A few lines of a binary patch can claim any size: git refuses single allocations above this. */
export const allocationLimit = '256m';
const timeLimitMs = 60_000;

/**
 * Applies the bundle in `folder` to `base`, the commit it must have been made from, and stores the resulting tree in
 * the mirror. No ref is written.
 */
export async function applyBundle(
  what: Rules & { mirror: Pick<Mirror, 'path' | 'bring'>; folder: string; base: string },
): Promise<AppliedBundle | { refused: BundleFault[] }> {
  const { base, mirror } = what;
  const bundle = await readBundle(what.folder, what.limits.patchBytes);
  if ('reason' in bundle) return { refused: [bundle] };
  const { manifest, patch } = bundle;
  if (manifest.base !== base)
    return {
      refused: [{ path: 'manifest.json', reason: `is for the commit ${manifest.base}, not for ${base}` }],
    };

  await using room = await temporaryFolder('bundle');
  const objects = join(room.path, 'objects');
  await mkdir(objects);
  const options: GitOptions = {
    gitDir: mirror.path,
    signal: AbortSignal.timeout(timeLimitMs),
    env: {
      GIT_INDEX_FILE: join(room.path, 'index'),
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: join(mirror.path, 'objects'),
      GIT_ALLOC_LIMIT: allocationLimit,
    },
  };
  const named = await patchNames(patch, what, options);
  if ('faults' in named) return { refused: named.faults };
  // Before git sees the patch: it must not have git fetch objects that it names.
  await mirror.bring(base, named.names);
  await git(['read-tree', base], options);
  const fault = await applyPatch(patch, options);
  if (fault) return { refused: [fault] };
  const changes = await rawChanges(['diff-index', '--cached', base], options);
  const faults = await changeFaults(changes, what, options);
  if (faults.length > 0) return { refused: faults };
  // A partial mirror lacks files that stay as they are.
  const tree = (await git(['write-tree', '--missing-ok'], options)).trim();
  if (tree !== manifest.tree)
    return {
      refused: [
        { path: 'manifest.json', reason: `names the tree ${manifest.tree}, but the patch makes ${tree}` },
      ],
    };
  await keepObjects(objects, join(mirror.path, 'objects'));
  return { tree, manifest, files: changes.map(({ path }) => path) };
}

/** git refuses some names itself, in its own words; looking at the names first lets each be reported with its reason. */
async function patchNames(
  patch: Buffer,
  rules: Rules,
  options: GitOptions,
): Promise<{ names: string[] } | { faults: BundleFault[] }> {
  if (patch.length === 0) return { names: [] };
  const listed = await onPatch(['apply', '--numstat', '-z', '-'], patch, options);
  if (typeof listed !== 'string') return { faults: [listed] };
  const names = listed.split('\0').flatMap(line => /^(?:\d+|-)\t(?:\d+|-)\t(.*)$/s.exec(line)?.[1] ?? []);
  const faults = await nameFaults(names, rules);
  return faults.length > 0 ? { faults } : { names };
}

async function applyPatch(patch: Buffer, options: GitOptions): Promise<BundleFault | undefined> {
  if (patch.length === 0) return undefined;
  const args = ['apply', '--cached', '--binary', '--whitespace=nowarn', '-'];
  const done = await onPatch(args, patch, options);
  return typeof done === 'string' ? undefined : done;
}

/** Standard output of git, or why it does not take the patch. */
async function onPatch(args: string[], patch: Buffer, options: GitOptions): Promise<string | BundleFault> {
  try {
    return await git(args, { ...options, input: patch });
  } catch (error) {
    if (options.signal?.aborted)
      return { path: 'changes.patch', reason: `took git longer than ${timeLimitMs / 1000} s` };
    if (error instanceof GitError)
      return { path: 'changes.patch', reason: `cannot be applied: ${error.stderr.trim().slice(0, 2000)}` };
    throw error;
  }
}

/** Moves loose objects; one that is there already is the same, its name is the digest of its content. */
async function keepObjects(from: string, to: string): Promise<void> {
  for (const name of await readdir(from, { recursive: true })) {
    if (!/^[0-9a-f]{2}\/[0-9a-f]+$/.test(name)) continue;
    await mkdir(join(to, name.slice(0, 2)), { recursive: true });
    // Copied beside its place first: the temporary folder may be on another disk, and readers must see it whole.
    const part = join(to, name.slice(0, 2), `tmp_obj_${randomUUID()}`);
    await copyFile(join(from, name), part);
    await rename(part, join(to, name));
  }
}
