// `echelon task index <folder>`: brings the index of a folder's files up to date, and prints it.
import { existsSync } from 'node:fs';
import { languageOf } from '../../../engine/tasks/memory/languages.ts';
import type { GlobalIndex } from '../../../engine/tasks/memory/global-index.ts';
import { refreshIndex } from '../../../engine/tasks/memory/refresh.ts';
import { folderSource } from '../../../workspace/folder-source.ts';
import { interruption } from '../../interrupt.ts';
import { print } from '../output.ts';
import type { Verb } from './verb.ts';
import { oneLine } from '../../progress.ts';
import { isFolder } from './folder.ts';

/** Languages that are named, the largest first. */
const MOST = 5;

export const indexFolder: Verb = {
  usage: 'index <folder> [--summary] [--json] [--no-cache]',
  about: `Indexes the files of a folder as the memory of tasks does: a line for each with language, size, heading and exported
names. In a git work tree the index is kept in its git directory, and only what has changed is read again.
Exit code 0: done; 1: it failed; 2: called wrongly.`,
  options: {
    summary: { type: 'boolean', help: 'the counts and the largest languages instead of the files' },
    json: { type: 'boolean', help: 'print one JSON object' },
    'no-cache': { type: 'boolean', help: 'neither use nor keep an index' },
  },
  async run({ positionals, values, problems }) {
    const [folder, ...more] = positionals;
    const wrong = [...problems, ...more.map(word => `unexpected argument ${word}`)];
    if (!folder) wrong.push('name the folder to index');
    else if (!existsSync(folder)) wrong.push(`${folder}: there is no such folder`);
    else if (!isFolder(folder)) wrong.push(`${folder}: is no folder; name a folder`);
    if (wrong.length > 0 || !folder) return { problems: wrong };
    const began = performance.now();
    const signal = interruption();
    const source = await folderSource(folder, { signal, ...(values['no-cache'] && { cache: null }) });
    const { index: entries, read, kept, removed, notes } = await refreshIndex(source);
    const counts = { files: entries.length, read, kept, removed, ms: Math.round(performance.now() - began) };
    const languages = largestLanguages(entries);
    if (values['json']) {
      const listed = entries.map(({ path, bytes, metadata }) => ({ path, bytes, metadata }));
      await print(
        JSON.stringify({ ...counts, languages, ...(!values['summary'] && { entries: listed }), notes }),
      );
    } else if (values['summary']) {
      const lines = languages.map(
        ({ name, files, bytes }) =>
          `  ${name.padEnd(18)}${files} ${files === 1 ? 'file' : 'files'}, ${bytes} bytes`,
      );
      const { ms } = counts;
      const first = `${entries.length} files: ${read} read, ${kept} kept, ${removed} removed, in ${ms} ms`;
      await print([first, ...lines].join('\n'));
    } else if (entries.length > 0)
      await print(entries.map(({ path, metadata }) => oneLine(`${path}: ${metadata}`)).join('\n'));
    for (const note of notes) console.error(oneLine(note));
    return 0;
  },
};

function largestLanguages(entries: GlobalIndex): { name: string; files: number; bytes: number }[] {
  const languages = new Map<string, { files: number; bytes: number }>();
  for (const { path, bytes } of entries) {
    const name = languageOf(path)?.name ?? 'other';
    const { files, bytes: before } = languages.get(name) ?? { files: 0, bytes: 0 };
    languages.set(name, { files: files + 1, bytes: before + bytes });
  }
  return [...languages]
    .map(([name, figures]) => ({ name, ...figures }))
    .sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1))
    .slice(0, MOST);
}
