// What layers opened of the repository at the run's commit, as the next layers get it: not to be opened again.
import { z } from 'zod';
import { quoted, quotedLine } from '../../engine/language/quote.ts';
import { type Tool, toolInputs, ToolRefusal } from '../../engine/language/tool.ts';
import { estimateTokens, headWithin } from '../../engine/language/trim.ts';

/** A file that a layer opened, or lines of it, as its tool was asked. */
export const Opened = z.object({
  path: z.string(),
  offset: z.int().min(1).exactOptional(),
  limit: z.int().min(1).exactOptional(),
});
export type Opened = z.infer<typeof Opened>;

/** Tokens that they take of a prompt at most, and those of one file. */
const EXCERPT_TOKENS = 6000;
const OF_ONE = 3000;
/** For the names of what is left out. */
const FOR_NAMES = 500;
/** With less room than this a file is named, not begun. */
const LEAST = 200;

/** Of a turn, so that the record can take it. */
const MAX_OPENED = 50;
const MAX_PATH = 200;

/** Tools that note in `opened` what is read of files. */
export const noting = (tools: readonly Tool[], opened: Opened[]): Tool[] =>
  tools.map(tool =>
    tool.name !== 'read_file'
      ? tool
      : {
          ...tool,
          async run(input, signal) {
            const { data } = toolInputs.read_file.input.safeParse(input);
            const part = data && data.path.length <= MAX_PATH ? [Opened.parse(data)] : [];
            // In the order in which they were asked for, whichever of a reply is read first.
            opened.push(...part);
            try {
              return await tool.run(input, signal);
            } catch (error) {
              for (const each of part) opened.splice(opened.indexOf(each), 1);
              throw error;
            } finally {
              if (opened.length > MAX_OPENED) opened.shift();
            }
          },
        },
  );

/**
 * Excerpts of what was opened, in the order in which it was, within EXCERPT_TOKENS: what `said` names most, and then the newest,
 * comes first; the rest is named. Every line is quoted; empty where there is nothing. `read` throws ToolRefusal for what cannot be read.
 */
export async function excerptsOf(
  opened: readonly Opened[],
  said: string,
  read: (part: Opened) => Promise<string>,
): Promise<string> {
  const files = [...Map.groupBy(opened.toReversed(), ({ path }) => path)].map(([path, parts]) => ({
    path,
    parts: merged(parts),
    named: said.split(path).length,
  }));
  const shown: string[] = [];
  const leftOut: string[] = [];
  let left = EXCERPT_TOKENS - FOR_NAMES;
  for (const { path, parts } of files.toSorted((a, b) => b.named - a.named)) {
    const text = await readable(parts, read);
    if (text === '') continue;
    const name = quotedLine(path);
    const room = Math.min(left, OF_ONE);
    const piece = quoted(`${name}:\n${text}`);
    const cut =
      estimateTokens(piece) <= room ? piece : `${headWithin(piece, room - 30)}\n> [read_file shows more]`;
    // Of a few lines nobody sees more than of the name.
    if (room < LEAST && cut !== piece) leftOut.push(name);
    else {
      shown.push(cut);
      left -= estimateTokens(cut);
    }
  }
  if (leftOut.length > 0)
    shown.push(headWithin(quoted(['Opened as well:', ...leftOut].join('\n')), FOR_NAMES));
  return shown.join('\n');
}

/** The lines of all parts, once each, as ranges in their order. */
function merged(parts: readonly Opened[]): Opened[] {
  const ranges = parts
    .map(({ offset = 1, limit = Number.POSITIVE_INFINITY }) => ({ from: offset, to: offset + limit }))
    .sort((a, b) => a.from - b.from);
  const whole: typeof ranges = [];
  for (const { from, to } of ranges) {
    const last = whole.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else whole.push({ from, to });
  }
  const path = parts[0]?.path ?? '';
  return whole.map(({ from, to }) => ({
    path,
    ...(from > 1 && { offset: from }),
    ...(to < Number.POSITIVE_INFINITY && { limit: to - from }),
  }));
}

/** Empty where nothing of it can be read. */
async function readable(parts: readonly Opened[], read: (part: Opened) => Promise<string>): Promise<string> {
  const texts: string[] = [];
  for (const part of parts)
    try {
      texts.push((await read(part)).trimEnd());
    } catch (error) {
      if (!(error instanceof ToolRefusal)) throw error;
    }
  return texts.join('\n');
}
