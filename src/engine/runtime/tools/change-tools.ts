// Tools in place of git, which the checkout lacks: show the model's changes, and restore a file.
import { lstat, realpath, unlink } from 'node:fs/promises';
import { relative } from 'node:path';
import { type Checkout, TreeTooLarge, maxFileBytes, type Mirror } from '@echelon/ground/workspace';
import { bindTool, type Tool, ToolRefusal } from '../../language/tool.ts';
import { placeOf, treePath } from './resolve-in-tree.ts';
import { excerpt, boundedLines, decodeText, numberedExcerpt, matchFiles, searchFiles } from './search.ts';

/**
 * diff and revert on a checkout. Both compare with the commit that it was made of; diff the tree that `judged` gives, or
 * where it gives none the files as they are now.
 */
export function changeTools(checkout: Checkout, judged: () => string | undefined): Tool[] {
  return [
    bindTool('diff', async ({ path, offset, limit }, signal) => {
      const file = path === undefined ? undefined : treePath(path);
      const diff = await checkout.diff(checkout.base, judged() ?? (await stored(checkout, signal)), file);
      if (diff !== '') return excerpt(diff, offset, limit);
      throw new ToolRefusal(`nothing was changed${file === undefined ? '' : ` in ${file}`}`);
    }),
    bindTool('revert', async ({ path }, signal) => {
      const place = await placeOf(checkout.tree, path, { link: true });
      const plain = relative(await realpath(checkout.tree), place) || '.';
      // At the base the same path may lead elsewhere: what is there is not for this call to change.
      if (plain !== treePath(path))
        throw new ToolRefusal(`${path} leads through a symbolic link; name ${plain}`);
      const stat = await lstat(place).catch(() => undefined);
      if (stat?.isDirectory()) throw new ToolRefusal(`${path} is a folder; revert its files`);
      if (await checkout.revert(plain, signal)) return `${plain} is as it was`;
      if (!stat) throw new ToolRefusal(`there is no file ${path}, neither now nor at the beginning`);
      await unlink(place);
      return `deleted ${plain}, which is new`;
    }),
  ];
}

async function stored(checkout: Checkout, signal: AbortSignal): Promise<string> {
  try {
    return await checkout.writeTree(signal);
  } catch (error) {
    if (error instanceof TreeTooLarge) throw new ToolRefusal(`diff: ${error.message}`);
    throw error;
  }
}

// The reading tools on a commit of the mirror, without a checkout: for roles that plan and judge.

/** read_file, list_files and search on the files of `commit` (an object id). */
export function readTools(mirror: Mirror, commit: string): Tool[] {
  const files = () => mirror.listFiles(commit);
  return [
    bindTool('read_file', async ({ path, offset, limit }) => {
      const plain = treePath(path);
      const file = (await files()).find(one => one.path === plain);
      if (!file) throw new ToolRefusal(`there is no file ${plain}`);
      if (!file.mode.startsWith('10'))
        throw new ToolRefusal(`${plain} is a symbolic link or a submodule, not a file`);
      const found = await mirror.object(file.oid, maxFileBytes);
      if (!found) throw new ToolRefusal(`${plain} has ${file.size} bytes; at most ${maxFileBytes} are read`);
      return numberedExcerpt(decodeText(plain, found.bytes), offset, limit);
    }),
    bindTool('list_files', async ({ path, pattern }) => {
      const names = (await files()).map(file => file.path).sort();
      return boundedLines(
        await matchFiles(names, path === undefined ? undefined : treePath(path), pattern),
        'files',
      );
    }),
    bindTool('search', async ({ pattern, path }, signal) => {
      await mirror.bring(commit);
      return await searchFiles(
        pattern,
        { flags: [], commit, ...(path === undefined ? {} : { path: treePath(path) }) },
        { gitDir: mirror.path },
        signal,
      );
    }),
  ];
}
