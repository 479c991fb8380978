// Lessons of earlier work: one file each, so that branches that add some do not conflict.
import { quoted } from '../../../engine/texts.ts';
import { headOf } from '../../../engine/files.ts';

/** Tokens of all that are told. */
const LESSONS = 1_000;

export const isLesson = (path: string): boolean => /^\.github\/echelon\/lessons\/[^/]+\.md$/.test(path);

/**
 * The lessons that share the most words with `work`, within a budget. One that begins with a path (`# src/a.ts`) that is
 * not among `paths` is not told, only named. `agreed`: texts by their paths.
 */
export function lessonsOf(
  agreed: ReadonlyMap<string, string>,
  paths: readonly string[],
  work: string,
): string {
  const current: string[] = [];
  const outdated: string[] = [];
  for (const [path, text] of agreed) {
    if (!isLesson(path)) continue;
    const about = /^(?:#+\s+|`)([^\s`]+)/.exec(text)?.[1];
    if (about === undefined || paths.some(each => each === about || each.startsWith(`${about}/`)))
      current.push(text);
    else outdated.push(`${path} is about ${about}, which is gone: remove it where your work is near.`);
  }
  const sought = wordsOf(work);
  const score = (text: string) => [...wordsOf(text)].filter(word => sought.has(word)).length;
  const told = current.toSorted((a, b) => score(b) - score(a)).join('\n\n');
  const gone = outdated.slice(0, 3).join('\n');
  return [headOf(told, LESSONS), gone].filter(Boolean).map(quoted).join('\n\n');
}

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu));
