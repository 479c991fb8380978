// Inputs of the engineer's program about the repository, within budgets: conventions, map, toolchain.
import { Mirror, mirrorSource } from '@echelon/ground/workspace';
import { fencedOff, quoted, quoteForModel } from '../../../engine/texts.ts';
import { type FileText, type GlobalIndex, headOf, layOutFiles, type Memory } from '../../../engine/files.ts';
import { mapBesideAid } from '../../../engine/parts.ts';
import { canMeet, effortOfDecision } from '../../scheduler/globs.ts';
import type { Around, JobSpec } from '../jobs/job-spec.ts';
import { isLesson } from './lessons.ts';

/** Tokens of each part, at most. */
const CONVENTIONS = 2_000;
const OF_PATHS = 1_500;
const LISTED = 500;
const MAP = 1_500;

/** Files with a project's instructions for contributors; of each row the first that exists. */
const conventionFiles = [
  ['AGENTS.md'],
  ['CLAUDE.md', '.claude/CLAUDE.md'],
  ['.github/copilot-instructions.md'],
  ['LESSONS.md'],
  ['CONTRIBUTING.md', '.github/CONTRIBUTING.md', 'docs/CONTRIBUTING.md'],
];

/** Instructions for the files of a folder, and for those that the globs at their beginning match. */
const ofPart = /(?<!^\.claude)\/(?:AGENTS|CLAUDE)\.md$|^\.github\/instructions\/.+\.instructions\.md$/;
/** Instructions for a kind of work: https://agentskills.io/specification */
const skill = /^\.(?:agents|claude|github)\/skills\/[^/]+\/SKILL\.md$/;

/** They stand in the prompt apart from the other files. */
export const isToldApart = (path: string): boolean =>
  conventionFiles.flat().includes(path) || ofPart.test(path) || skill.test(path) || isLesson(path);

/** Files that are read at most: those nearest the root. */
const MOST_READ = 50;

/** Texts that people have agreed to, by path. */
export type Agreed = ReadonlyMap<string, string>;

/**
 * As they stand at `around.ground`, where no branch of a model is in it. None of a link, a binary file, more than 1 MB, nor
 * of one that keeps itself from coding agents or only names another.
 */
export async function agreedTexts({
  mirror,
  around,
  base,
}: JobSpec): Promise<{ agreed: Agreed; paths: string[] }> {
  const source = mirrorSource(new Mirror({ folder: mirror, url: '' }), around?.ground || base);
  const { files } = await source.list();
  const told = files.filter(({ path }) => isToldApart(path));
  told.sort((a, b) => a.path.split('/').length - b.path.split('/').length);
  const read = told.slice(0, MOST_READ);
  const agreed = new Map<string, string>();
  for (const [at, text = ''] of (await source.read(read)).entries()) {
    const said = text.includes('\0') ? '' : quoteForModel(text).text.trim();
    if (!['', '@AGENTS.md'].includes(said) && !/(?:coding|cloud)-agent/.test(field('excludeAgent', said)))
      agreed.set(read[at]!.path, said);
  }
  return { agreed, paths: files.map(({ path }) => path) };
}

/** The conventions for all of the project; of those for a part of it, or for a kind of work, a list. */
export function conventionsOf(agreed: Agreed): string {
  const whole = conventionFiles.flatMap(places => places.find(path => agreed.has(path)) ?? []);
  const list: string[] = [];
  for (const [path, text] of agreed)
    if (ofPart.test(path) || skill.test(path)) {
      const about = field('applyTo', text) || field('description', text);
      list.push(`- ${path} ${about}`.replace(/\s+/g, ' ').slice(0, 300).trim());
    }
  const shown = laidOut(agreed, whole, CONVENTIONS);
  const told =
    list.length > 0
      ? `## Read those that are for your work\n${headOf(list.join('\n'), LISTED, '\n[cut off]')}`
      : '';
  return quoted(`${shown}\n\n${told}`.trim());
}

/** Those for the files that the globs `paths` can match, the nearest to them last. */
export function conventionsAt(agreed: Agreed, paths: readonly string[]): string {
  const effort = effortOfDecision();
  const near: string[] = [];
  for (const [path, text] of agreed)
    if (scopes(path, text).some(scope => paths.some(each => canMeet(scope, each, effort)))) near.push(path);
  return quoted(laidOut(agreed, near, OF_PATHS));
}

/**
 * Globs of the files that the instructions at `path` are for, in a list with commas:
 * https://docs.github.com/en/copilot/how-tos/configure-custom-instructions/add-repository-instructions
 */
function scopes(path: string, text: string): string[] {
  if (!ofPart.test(path)) return [];
  if (!path.endsWith('.instructions.md')) return [path.replace(/[^/]+$/, '**')];
  return field('applyTo', text)
    .split(/,(?![^{]*\})|\n/)
    .map(glob => glob.replace(/^[\s\-"'[]+|[\s"'\]]+$/g, '').replace(/^\*$/, '**'))
    .filter(Boolean);
}

/** A field of the block that a text begins with, as it is written; empty where there is none. */
function field(name: string, text: string): string {
  const block = /^---\s(.*?)\n---/s.exec(text.slice(0, 4000).replaceAll('\r', ''))?.[1] ?? '';
  return new RegExp(`^${name}:(.*(?:\\n[ \\t].*)*)`, 'm').exec(block)?.[1] ?? '';
}

/** Texts under their paths, each once. */
function laidOut(agreed: Agreed, paths: readonly string[], tokens: number): string {
  const files: FileText[] = [];
  for (const path of paths) {
    const text = agreed.get(path) ?? '';
    if (files.every(each => each.text !== text)) files.push({ path, metadata: '', text });
  }
  return layOutFiles(files, tokens).text;
}

/** The files of the memory; none where there is no index, which is an aid only. */
export const filesOf = async (memory: Memory, signal: AbortSignal): Promise<GlobalIndex> =>
  await memory.index(signal).catch(() => {
    signal.throwIfAborted();
    return [];
  });

/** In view of the run's directive, which all of its engineers have in common. */
export const mapText = (files: GlobalIndex, directive: Around['directive'] | undefined): string =>
  fencedOff(mapBesideAid(files, MAP, `${directive?.title} ${directive?.body}`));
