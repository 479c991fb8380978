// Elements that hold text only: text with placeholders, and values written as text.
import type { Position, Report } from './problem.ts';
import { oneOf, type Part, type Reader, takeAttributes } from './element-schema.ts';
import { dedent, type TemplateText, template } from './text.ts';
import type { Element, Text } from './element.ts';

/** Text with substitution. */
export const textElement: Part<TemplateText> = {
  read: (element, { report }) => {
    takeAttributes(element, {}, report);
    const found = textOf(element, report);
    if (found.parts.length === 0) report(element.at, `<${element.name}> is empty`);
    return found;
  },
  blank: at => ({ parts: [], at }),
};

/** The dedented text of an element that holds text only. */
export function textOf(element: Element, report: Report): TemplateText {
  const { whole, texts } = textsOf(element, report);
  const { at } = texts[0] ?? element;
  const braces: number[] = [];
  for (let index = whole.indexOf('{{'); index >= 0; index = whole.indexOf('{{', index + 2))
    braces.push(index);
  return template(dedent(whole), at, placesIn(texts, braces));
}

/** The texts of an element that holds nothing else, and what they are together. */
function textsOf(element: Element, report: Report): { whole: string; texts: Text[] } {
  let whole = '';
  const texts: Text[] = [];
  for (const child of element.children) {
    if (child.kind === 'element')
      report(
        child.at,
        `<${child.name}> inside the text of <${element.name}>, which holds text alone: in XML write &lt;, or wrap the text in <![CDATA[ ]]>`,
      );
    else {
      texts.push(child);
      whole += child.text;
    }
  }
  return { whole, texts };
}

/** The places of the characters with these ascending indexes in all of `texts` together. */
function placesIn(texts: readonly Text[], indexes: readonly number[]): Position[] {
  const [only] = texts;
  if (only && texts.length === 1) return only.places(indexes);
  const found: Position[] = [];
  let before = 0;
  let next = 0;
  for (const text of texts) {
    const end = before + text.text.length;
    const inside: number[] = [];
    for (; next < indexes.length && indexes[next]! < end; next++) inside.push(indexes[next]! - before);
    for (const place of text.places(inside)) found.push(place);
    before = end;
  }
  return found;
}

/** The words of an element that holds text only, which stand between white space and commas. */
export function wordsOf(element: Element, report: Report): { word: string; at: Position }[] {
  const { whole, texts } = textsOf(element, report);
  const found = [...whole.matchAll(/[^ \t\n,]+/g)];
  const places = placesIn(
    texts,
    found.map(({ index }) => index),
  );
  return found.map(([word], nth) => ({ word, at: places[nth]! }));
}

/**
 * Text without substitution as a value. `accept` gives the value of the text, or says what is expected; the element
 * then stands for `blank`.
 */
export function scalarElement<T>(blank: T, accept: (text: string) => T | { expected: string }): Reader<T> {
  return {
    read: (element, { report }) => {
      takeAttributes(element, {}, report);
      // Other white space than that of XML belongs to the words, as it does in the published schema.
      const words = textsOf(element, report).whole.replace(/^[ \t\n]+|[ \t\n]+$/g, '');
      const accepted = accept(words);
      if (!isRefusal(accepted)) return accepted;
      report(element.at, `<${element.name}> is ${accepted.expected}, not "${words.slice(0, 60)}"`);
      return blank;
    },
  };
}

function isRefusal(accepted: unknown): accepted is { expected: string } {
  return typeof accepted === 'object' && accepted !== null && 'expected' in accepted;
}

/** `true` or `false`. */
export const booleanElement = scalarElement(false, text =>
  text === 'true' || text === 'false' ? text === 'true' : { expected: 'exactly true or false' },
);

/** A number within the bounds, both included. */
export function numberElement(low: number, high: number, whole = true): Reader<number> {
  const kind = whole ? 'a whole number' : 'a number';
  return scalarElement(low, text =>
    /^\d+(\.\d+)?$/.test(text) && +text >= low && +text <= high && !(whole && text.includes('.'))
      ? +text
      : { expected: `${kind} from ${low} to ${high}` },
  );
}

/** One of `values`, of which there is at least one. */
export function choiceElement<const T extends string>(...values: T[]): Reader<T> {
  return scalarElement(values[0]!, text => {
    const meant = text === 'false' && values.some(each => each === 'none') ? ' (write "none")' : '';
    return values.find(each => each === text) ?? { expected: `${oneOf(values)}${meant}` };
  });
}

/** A name without substitution, such as a model's. */
export const plainName: Reader<string> = scalarElement('', words =>
  /^[^\s{}]{1,200}$/.test(words) ? words : { expected: 'a name without white space' },
);
