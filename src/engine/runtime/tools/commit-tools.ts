// The reading tools on a commit of the mirror, without a checkout: for roles that plan and judge.
import { maxFileBytes, type Mirror } from '@echelon/ground/workspace';
import { bindTool, type Tool, ToolRefusal } from '../../language/tool.ts';
import { treePath } from './resolve-in-tree.ts';
import { boundedLines, decodeText, numberedExcerpt, matchFiles, searchFiles } from './search.ts';

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
      if (file.size > maxFileBytes)
        throw new ToolRefusal(`${plain} has ${file.size} bytes; at most ${maxFileBytes} are read`);
      const bytes = await mirror.readFile(commit, plain, maxFileBytes);
      if (!bytes) throw new ToolRefusal(`there is no file ${plain}`);
      return numberedExcerpt(decodeText(plain, bytes), offset, limit);
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
