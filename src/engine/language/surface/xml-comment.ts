// What a comment says, in XML: two dashes may not stand there beside each other, so a backslash is put between them, and one more
// where some are already.

/** What a comment of XML says. */
export const fromXmlComment = (words: string): string => words.replace(/(?<=-)\\(\\*)(?=-)/g, '$1');

/** What says it in a comment of XML. */
export const toXmlComment = (words: string): string => words.replace(/(?<=-)(\\*)(?=-)/g, '\\$1');
