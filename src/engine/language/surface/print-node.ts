// The print model of both surfaces: an element in canonical form.

export interface PrintNode {
  name: string;
  /** Words without their layout, of comments before it and at its end. One that holds a text has all of them before it. */
  comments?: { before: readonly string[]; atEnd: readonly string[] };
  attributes: readonly (readonly [name: string, value: string])[];
  content: PrintContent;
}

/**
 * A text alone is that of a template: without the indentation of the document. Texts beside elements stand as they are; no
 * program that is checked has any.
 */
export type PrintContent = string | readonly (PrintNode | string)[];

export const isElements = (content: PrintContent): content is readonly PrintNode[] =>
  typeof content !== 'string' && content.every(each => typeof each !== 'string');

/** True if the text may be printed beside its delimiters: on a line of its own it would lose leading white space. */
export const isSingleLine = (words: string): boolean => !words.includes('\n') && /^\S/.test(words);
