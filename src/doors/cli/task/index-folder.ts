// `echelon task index <folder>`: brings the index of a folder's files up to date, and prints it.
import { existsSync } from 'node:fs';
import { folderSource } from '@echelon/ground/workspace';
import { refreshIndex } from '../../../engine/files.ts';
import { interruption } from '../../interrupt.ts';
import { print } from '../output.ts';
import { isFolder } from '../options.ts';
import type { Command } from '../command.ts';
import { oneLine } from '../../progress.ts';

export const indexFolder: Command = {
  usage: 'echelon task index <folder> [--json] [--no-cache]',
  about: `Indexes the files of a folder for the memory of tasks: a line each with language, size, heading and exported names. In a git
work tree the index is kept in the git directory, and only changed files are read again.
Exit code 0: done; 1: failed; 2: wrong call.`,
  options: {
    json: { type: 'boolean', help: 'print JSON, with the number of files read' },
    'no-cache': { type: 'boolean', help: 'neither use nor store an index' },
  },
  takes: { missing: 'name the folder to index' },
  async run({ positionals: [folder = ''], values, problems }) {
    if (folder !== '' && !existsSync(folder)) problems.push(`${folder}: there is no such folder`);
    else if (folder !== '' && !isFolder(folder)) problems.push(`${folder}: is no folder; name a folder`);
    if (problems.length > 0) return { problems };
    const signal = interruption();
    const source = await folderSource(folder, { signal, ...(values['no-cache'] && { cache: null }) });
    const { index: entries, read, kept, removed, notes } = await refreshIndex(source);
    if (values['json']) {
      const listed = entries.map(({ path, bytes, metadata }) => ({ path, bytes, metadata }));
      await print(JSON.stringify({ files: entries.length, read, kept, removed, entries: listed, notes }));
    } else if (entries.length > 0)
      await print(entries.map(({ path, metadata }) => oneLine(`${path}: ${metadata}`)).join('\n'));
    for (const note of notes) console.error(oneLine(note));
    return 0;
  },
};
