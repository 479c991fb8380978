// The marks between which git leaves both sides of a conflict.

/** Whether a text has some. */
export const hasMarks = (text: string): boolean => /^<{7} /m.test(text) && /^>{7} /m.test(text);

/** Bytes of a file in which they are looked for. */
export const MAX_MARKED = 4 << 20;
