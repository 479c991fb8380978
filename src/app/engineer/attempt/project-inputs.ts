// Inputs of the engineer's program about the repository, within budgets: conventions, lessons, map, toolchain.
import { maxFileBytes, Mirror } from '@echelon/ground/workspace';
import { fencedOff, quoteForModel, quoted } from '../../../engine/language/quote.ts';
import type { GlobalIndex } from '../../../engine/tasks/memory/global-index.ts';
import { mapBesideAid } from '../../../engine/tasks/memory/map.ts';
import type { Memory } from '../../../engine/tasks/memory/memory.ts';
import { layOutFiles, tailOf } from '../../../engine/tasks/memory/share.ts';
import type { JobSpec } from '../jobs/job-spec.ts';

/** Tokens of each part, at most. */
const CONVENTIONS = 2_000;
const LESSONS = 1_000;
const MAP = 1_500;

/** Files with a project's instructions for contributors; of each row the first that exists. */
const conventionFiles = [
  ['AGENTS.md'],
  ['CLAUDE.md'],
  ['.github/copilot-instructions.md'],
  ['CONTRIBUTING.md', '.github/CONTRIBUTING.md', 'docs/CONTRIBUTING.md'],
];
export const LESSONS_FILE = 'LESSONS.md';

/** They stand in the prompt apart from the other files. */
const apart = [LESSONS_FILE, ...conventionFiles.flat()];
export const isToldApart = (path: string): boolean => apart.includes(path);

/**
 * What people have agreed to, as it stands at `around.ground`, where no branch of a model is in it. `conventions`: two files
 * of the same text are one. `lessons`: the newest, at the end, where they are many.
 */
export async function agreedInputs(spec: Pick<JobSpec, 'mirror' | 'around' | 'base'>) {
  const mirror = new Mirror({ folder: spec.mirror, url: '' });
  const at = spec.around?.ground ?? spec.base;
  const files: { path: string; metadata: string; text: string }[] = [];
  for (const places of conventionFiles)
    for (const path of places) {
      const text = await agreedText(mirror, at, path);
      if (text === '') continue;
      if (files.every(each => each.text !== text)) files.push({ path, metadata: '', text });
      break;
    }
  const lessons = quoted(tailOf(await agreedText(mirror, at, LESSONS_FILE), LESSONS));
  return { conventions: quoted(layOutFiles(files, CONVENTIONS).text), lessons };
}

/** A link, a binary file, more than 1 MB: none. */
async function agreedText(mirror: Mirror, commit: string, path: string): Promise<string> {
  const bytes = await mirror.readFile(commit, path, maxFileBytes, apart).catch(() => undefined);
  return bytes && !bytes.includes(0) ? quoteForModel(bytes.toString('utf8')).text.trim() : '';
}

/** The files of the memory; none where there is no index, which is an aid only. */
export const filesOf = async (memory: Memory, signal: AbortSignal): Promise<GlobalIndex> =>
  await memory.index(signal).catch(() => {
    signal.throwIfAborted();
    return [];
  });

export const mapText = (files: GlobalIndex): string => fencedOff(mapBesideAid(files, MAP));
