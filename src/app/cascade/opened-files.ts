// The files of the repository that layers opened at the run's commit, as the next layers are told them.
import { z } from 'zod';
import { quoted } from '../../engine/texts.ts';
import { type Tool, toolInputs } from '../../engine/language.ts';
import { type GlobalIndex, headOf } from '../../engine/files.ts';
import { mapLine } from '../../engine/parts.ts';
import { termsIn } from '../../engine/engine.ts';

/** A file that a layer opened. */
export const Opened = z.object({ path: z.string() });
export type Opened = z.infer<typeof Opened>;

/** Tokens that the list takes of a prompt at most. */
const LIST_TOKENS = 1000;

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

/** A line for each file, quoted, with what it says of itself in view of `about`; of a long list the beginning. Empty where there is none. */
export function openedList(opened: readonly Opened[], index: GlobalIndex, about: string): string {
  const terms = termsIn(about);
  const told = new Map(index.map(each => [each.path, mapLine(each, terms)]));
  const paths = new Set(opened.map(({ path }) => path));
  const lines = Array.from(paths, path => (told.get(path) ?? path).replace(/\s+/g, ' ')).join('\n');
  return quoted(headOf(lines, LIST_TOKENS, '\n[cut off]'));
}
