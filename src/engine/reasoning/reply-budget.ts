// What the answers to one reply may come to together: a reply of a page can ask for megabytes.

/** Characters (UTF-16 units) of all answers to one reply. */
export const ANSWER_CHARS = 256 * 1024;

const TOLD = `The answers to one reply hold ${ANSWER_CHARS} characters.`;
const AGAIN =
  'What was asked for was carried out; to see it, ask for it again in your next reply, and for less.';

/** Cuts the answers to one reply, in their order, to what is left for them; says what was left out, and the remedy. */
export function answerBudget(): (text: string) => string {
  let left = ANSWER_CHARS;
  return text => {
    // A short one is no longer than what it would be replaced by.
    if (text.length <= TOLD.length + AGAIN.length) return text;
    const shown = text.slice(0, left).toWellFormed();
    left -= shown.length;
    if (shown.length === text.length) return text;
    const note = `(${text.length - shown.length} characters were left out. ${TOLD} ${AGAIN})`;
    return shown === '' ? note : `${shown}\n${note}`;
  };
}
