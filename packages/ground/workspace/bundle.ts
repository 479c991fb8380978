// A job's output: a folder with the patch and a manifest. The side that writes to GitHub trusts neither.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Checkout } from './checkout.ts';
import { readRegular } from './regular-file.ts';

const oid = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/, 'not an object id');

/** Content of manifest.json. `tests` is null where the project has none; its exit code belongs to `tests.tree`. */
export const Manifest = z.strictObject({
  v: z.literal(1),
  base: oid,
  tree: oid,
  tests: z
    .strictObject({
      command: z.string().min(1).max(10_000),
      exit_code: z.int().nullable(),
      tree: oid,
    })
    .nullable(),
  rounds: z.int().min(0).max(1000),
  cost_usd: z.number().min(0).max(1e6),
  isolation: z.enum(['bubblewrap', 'none']),
});
export type Manifest = z.infer<typeof Manifest>;

const maxManifestBytes = 64 << 10;

/** A bundle that cannot be read at all: the file, and what is wrong with it. */
export interface BundleFault {
  path: string;
  reason: string;
}

/**
 * Writes `changes.patch` and `manifest.json` into `folder`. The manifest comes last: a folder that has it is whole.
 * `tree` is one that the checkout wrote.
 */
export async function makeBundle(
  checkout: Pick<Checkout, 'base' | 'patch'>,
  tree: string,
  folder: string,
  facts: Omit<Manifest, 'v' | 'base' | 'tree'>,
): Promise<void> {
  const manifest = Manifest.parse({ v: 1, base: checkout.base, tree, ...facts });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'changes.patch'), await checkout.patch(tree));
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** Folder of an intermediate bundle; one per tree, so that a new one damages none. */
export const bundleOf = (folder: string, tree: string): string => join(folder, 'trees', tree);

/** Removes the bundles that were kept on the way to this one. */
export async function dropBundlesBut(folder: string, tree: string): Promise<void> {
  const kept = join(folder, 'trees');
  for (const name of await readdir(kept).catch(() => []))
    if (name !== tree) await rm(join(kept, name), { recursive: true, force: true });
}

/** Reads a bundle whose every byte may be hostile. */
export async function readBundle(
  folder: string,
  maxPatchBytes: number,
): Promise<{ manifest: Manifest; patch: Buffer } | BundleFault> {
  const raw = await readBounded(folder, 'manifest.json', maxManifestBytes);
  if (!Buffer.isBuffer(raw)) return raw;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch {
    // The parser's words would quote a hostile file.
    return { path: 'manifest.json', reason: 'is not JSON' };
  }
  const parsed = Manifest.safeParse(value);
  if (!parsed.success)
    return { path: 'manifest.json', reason: `does not fit: ${z.prettifyError(parsed.error)}` };
  const patch = await readBounded(folder, 'changes.patch', maxPatchBytes);
  return Buffer.isBuffer(patch) ? { manifest: parsed.data, patch } : patch;
}

/** A file of a folder whose every byte may be hostile; a fault where it is none, or larger. */
export async function readBounded(
  folder: string,
  name: string,
  maxBytes: number,
): Promise<Buffer | BundleFault> {
  const read = readRegular(join(folder, name), maxBytes);
  return Buffer.isBuffer(read) ? read : { path: name, reason: read.reason };
}
