// A memory that is a value, and a memory task whose prompt is JSON, so that tests can say what it was asked.
import { createLibrary, type Library } from '../../../../src/engine/language/library.ts';
import type { SessionRequest } from '../../../../src/engine/reasoning/request.ts';
import { describeFile } from '../../../../src/engine/tasks/memory/describe.ts';
import type { Memory } from '../../../../src/engine/tasks/memory/memory.ts';

export interface Remembering extends Memory {
  /** Number of refreshes, and the files read. */
  refreshed: number;
  read: Memory['read'];
  readPaths: string[];
}

/** Null: the index names the file, but it is not there to be read. */
export function memoryOf(files: Record<string, string | null>): Remembering {
  const index = Object.entries(files)
    .map(([path, text]) => ({
      ...{ path, digest: path, bytes: Buffer.byteLength(text ?? 'gone') },
      metadata: describeFile(path, text ?? 'gone'),
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const memory: Remembering = {
    refreshed: 0,
    readPaths: [],
    index: async () => index,
    async refresh() {
      memory.refreshed += 1;
    },
    async read(path) {
      memory.readPaths.push(path);
      return files[path] ?? undefined;
    },
  };
  return memory;
}

const names = ['task_text', 'index', 'previous_outputs', 'inherited', 'max_results', 'relevance_threshold'];

/** Its model is called `librarian`, so that a test can give it a window of its own. */
const template = `<task name="associative_memory" subtype="associative_memory">
  <inputs>${names.map(name => `<input name="${name}"/>`).join('')}</inputs>
  <description>${names.map(name => `@${name}:{{${name}}}`).join('\n')}</description>
  <output name="matches" type="json"/><model>librarian</model></task>`;

export function libraryOf(...templates: string[]): Library {
  const { library, problems } = createLibrary(templates.map((text, n) => ({ file: `t${n}.xml`, text })));
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return library;
}

export const withMemoryTask = libraryOf(template);

/** Inputs of the memory task without their fences; of the index the paths. */
export function asked(request: SessionRequest): Record<string, string | string[]> {
  const parts = request.prompt.split(/^@/m).slice(1);
  const inputs = parts.map(part => {
    const [, name, value] = /^(\w+):(.*)$/s.exec(part)!;
    return [name!, value!.trim().replace(/^`{3,}\n(.*)\n`{3,}$/s, '$1')] as const;
  });
  return Object.fromEntries(
    inputs.map(([name, value]) => [
      name,
      name === 'index' ? value.split('\n').map(line => line.split('  ')[0]!) : value,
    ]),
  );
}

export const choosing = (...matches: [path: string, relevance: number][]) =>
  JSON.stringify({ matches: matches.map(([path, relevance]) => ({ path, relevance, why: 'because' })) });
