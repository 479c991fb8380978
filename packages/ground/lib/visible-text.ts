// Removes invisible text, once: before a text is shown, created, or sent to a model.
import type { Change } from './in-pieces.ts';

/** Text as a terminal would show it without colours: escape sequences of a terminal are taken out. */
export const withoutColours = (text: string): string => text.replace(/\x1b\[[0-9;?]{0,40}[@-~]/g, '');

/** Joiners and selectors of emoji, and joiners of the scripts that spell with them: they stay where they are seen. */
const works = [
  String.raw`(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f]`,
  String.raw`(?<=[0-9#*])\ufe0f(?=\u20e3)`,
  String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=[\p{M}--\p{Script=Inherited}]|\p{Script=Arabic})[\u200c\u200d](?=\p{L})`,
].join('|');

/**
 * Characters without a shape: what Unicode says may be ignored where it is shown (zero-width and bidirectional
 * characters, selectors, fillers, tags, soft hyphen), the blank of Braille, annotation, controls but tab and line ends.
 */
const hidden = new RegExp(
  String.raw`(?!${works})[\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb[\p{Cc}--[\t\n\r]]]`,
  'gv',
);

/** More marks on one character than any script stacks hide the lines around them. */
const flood = /(\p{M}{8})(\p{M}+)/gv;

/** The text without what nobody sees, well-formed. `stripped`: how many characters were left out. */
export function seen(text: string): { text: string; stripped: number } {
  let stripped = 0;
  const count = (found: string) => {
    stripped += [...found].length;
    return '';
  };
  const left = text
    .toWellFormed()
    .replace(hidden, count)
    .replace(flood, (_all, kept: string, more: string) => kept + count(more));
  return { text: left, stripped };
}

/** One of two such characters side by side has nothing to do with what is hidden or stacked around the other. */
const plain =
  /[[\p{L}\p{N}\p{P}\p{S}\p{Z}\t\n\r]--[\p{Default_Ignorable_Code_Point}\p{Extended_Pictographic}\u2800\ufff9-\ufffb]]/v;

/** `seen` for a text that comes in pieces. */
export const visible: Change = Object.assign((text: string) => seen(text).text, {
  settled(text: string) {
    for (let at = text.length - 1; at > 0; at--)
      if (plain.test(text.charAt(at)) && plain.test(text.charAt(at - 1))) return at;
    return 0;
  },
});

/** At most `max` UTF-16 units of a line, with an ellipsis in the place of what was cut. */
export const shortened = (line: string, max: number): string =>
  line.length > max ? `${line.slice(0, max - 1).toWellFormed()}…` : line;
