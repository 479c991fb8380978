// What the engineer's program is told of the repository, within budgets: conventions, lessons, map, toolchain.
import { fencedOff, quoteForModel, quoted } from '../../engine/language/quote.ts';
import { fileText } from '../../engine/runtime/tools/checkout-tools.ts';
import type { GlobalIndex } from '../../engine/tasks/memory/global-index.ts';
import { mapBesideAid } from '../../engine/tasks/memory/map.ts';
import type { Memory } from '../../engine/tasks/memory/memory.ts';
import { layOutFiles, tailOf } from '../../engine/tasks/memory/share.ts';
import type { Checkout } from '../../workspace/checkout.ts';
import { Mirror } from '../../workspace/mirror.ts';
import { maxFileBytes } from '../../workspace/regular-file.ts';
import type { JobSpec } from './job-spec.ts';

/** Tokens of each part, at most. */
const CONVENTIONS = 2_000;
const LESSONS = 1_000;
const MAP = 1_500;

/** Where projects write down how one works on them; of each row the first that there is. */
const conventionFiles = [
  ['AGENTS.md'],
  ['CLAUDE.md'],
  ['CONTRIBUTING.md', '.github/CONTRIBUTING.md', 'docs/CONTRIBUTING.md'],
];
const LESSONS_FILE = 'LESSONS.md';

/** They stand in the prompt apart from the other files. */
export const isToldApart = (path: string): boolean =>
  path === LESSONS_FILE || conventionFiles.flat().includes(path);

type ConventionsOf = Pick<JobSpec, 'mirror' | 'around' | 'base'>;

/**
 * The conventions as they stand at `around.ground`, which people have agreed to: a link, a binary file and one of more than
 * 1 MB are none; two of the same text are one.
 */
export async function conventionsOf({ mirror: folder, around, base }: ConventionsOf): Promise<string> {
  const ground = around?.ground ?? base;
  const mirror = new Mirror({ folder, url: '' });
  const files: { path: string; metadata: string; text: string }[] = [];
  for (const places of conventionFiles)
    for (const path of places) {
      const bytes = await mirror.readFile(ground, path, maxFileBytes).catch(() => undefined);
      const text = bytes && !bytes.includes(0) ? quoteForModel(bytes.toString('utf8')).text.trim() : '';
      if (text === '') continue;
      if (files.every(each => each.text !== text)) files.push({ path, metadata: '', text });
      break;
    }
  return quoted(layOutFiles(files, CONVENTIONS).text);
}

/** Those of the checkout, which others of the run may have added to: the newest, at the end, where they are many. */
export async function lessonsOf({ tree }: Pick<Checkout, 'tree'>): Promise<string> {
  // A file that is not there, or that leads out of the checkout, is none.
  const text = await fileText(tree, LESSONS_FILE).catch(() => '');
  return quoted(tailOf(quoteForModel(text).text, LESSONS));
}

/** The files of the memory; none where there is no index, which is an aid only. */
export const filesOf = async (memory: Memory, signal: AbortSignal): Promise<GlobalIndex> =>
  await memory.index(signal).catch(() => {
    signal.throwIfAborted();
    return [];
  });

export const mapText = (files: GlobalIndex): string => fencedOff(mapBesideAid(files, MAP));
