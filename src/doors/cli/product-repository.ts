// The product's own repository as a release has it, for a forge whose workflows name it: built, committed, tagged.
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { git } from '@echelon/ground/workspace';

const root = join(import.meta.dirname, '../../..');

/** Returns an error with its remedy if the local GitHub is missing, as in the published package; otherwise undefined. */
export function forgeProblem(): string | undefined {
  try {
    import.meta.resolve('@echelon/forge');
  } catch {
    return 'the local GitHub is not part of the package: run npm start or npm run demo in a clone of the repository';
  }
}

/** Parts of the working copy that make up a release's workflows and Action. */
const parts = ['action', 'action.yml', 'prompts', '.github/workflows', 'package.json', 'LICENSE'];

/** The repository whose workflows are called, the tag or branch that a person knows, and the commit that it leads to. */
export interface Release {
  owner: string;
  name: string;
  tag: string;
  commit: string;
}

/** Owner, name and tag by which the workflow of a repository names the product. */
export const product = { owner: 'echelon-org', name: 'echelon', tag: 'v0' } as const;

/** The repository in `into`, made once; answers its path. Builds the Action where it can: from a clone, not from a package. */
export async function productRepository(into: string): Promise<string> {
  const whole = join(into, 'product');
  if (existsSync(whole)) return whole;
  const build = join(root, 'action', 'build.ts');
  if (existsSync(build) && existsSync(join(root, 'node_modules', 'rolldown')))
    await promisify(execFile)(process.execPath, [build]);
  // Under its name only when it is whole: this process may be killed in between.
  const path = mkdtempSync(join(into, '.product-'));
  for (const part of parts) cpSync(join(root, part), join(path, part), { recursive: true });
  const as = ['-c', 'user.name=echelon', '-c', 'user.email=echelon@users.noreply.github.com'];
  await git(['init', '--quiet', '--initial-branch=main'], { cwd: path });
  await git(['add', '--all', '--force'], { cwd: path });
  await git([...as, 'commit', '--quiet', '--message', `Release ${product.tag}`], { cwd: path });
  await git(['tag', product.tag], { cwd: path });
  renameSync(path, whole);
  return whole;
}

/** That release in the repository at `path`. */
export const productRelease = async (path: string): Promise<Release> => ({
  ...product,
  commit: (await git(['rev-parse', `${product.tag}^{commit}`], { cwd: path })).trim(),
});
