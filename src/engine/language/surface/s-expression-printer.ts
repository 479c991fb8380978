// Writes S-expressions: two spaces a level, texts of several lines and those with quotes between """.
import { isSingleLine, type PrintContent, type PrintNode } from './print-node.ts';
import { literal, named } from './s-expression-reader.ts';

/** Lines of a text are indented with their element, which reading takes away again. */
export function printSExpression({ name, attributes, content, comments }: PrintNode, indent = ''): string {
  const before = commentsOf(comments?.before ?? [], indent);
  const atEnd = commentsOf(comments?.atEnd ?? [], `${indent}  `);
  const head = [name, ...headOf(name, attributes)].join(' ');
  const end = atEnd === '' ? ')' : `\n${atEnd}${indent})`;
  return `${before}${indent}(${head}${bodyOf(content, indent)}${end}`;
}

function bodyOf(content: PrintContent, indent: string): string {
  const inner = `${indent}  `;
  if (typeof content === 'string') return content === '' ? '' : ` ${textOf(content, indent)}`;
  const lines = content.map(child =>
    typeof child === 'string' ? `${inner}${quoted(child)}` : printSExpression(child, inner),
  );
  return lines.map(line => `\n${line}`).join('');
}

/** The name first, as a word where it can be one. */
function headOf(element: string, attributes: PrintNode['attributes']): string[] {
  const isNameWord = ([key, value]: readonly [string, string]) =>
    key === 'name' && named.has(element) && isWord(value) && !literal.test(value);
  const first = attributes.filter(isNameWord).map(([, value]) => value);
  const others = attributes.filter(each => !isNameWord(each));
  return [...first, ...others.map(([key, value]) => `:${key} ${isWord(value) ? value : quoted(value)}`)];
}

const isWord = (value: string): boolean => /^[\w.[\]-]+$/.test(value);

function textOf(words: string, indent: string): string {
  if (literal.test(words)) return words;
  if (isSingleLine(words)) return quoted(words);
  const lines = (text: string) =>
    text
      .split('\n')
      .map(line => (line === '' ? '' : `${indent}  ${line}`))
      .join('\n');
  if (/"""|\r/.test(words)) return `"\n${lines(escaped(words))}\n${indent}"`;
  return `"""\n${lines(words)}\n${indent}"""`;
}

/** On one line. */
function quoted(words: string): string {
  const isLong = /["\\]/.test(words) && !/"""|^"|"$|[\n\r]/.test(words);
  return isLong ? `"""${words}"""` : `"${escaped(words).replaceAll('\n', '\\n')}"`;
}

const escaped = (words: string) => words.replace(/["\\]/g, '\\$&').replaceAll('\r', '\\r');

/** Each with its line end; an empty line parts two of them. */
function commentsOf(comments: readonly string[], indent: string): string {
  const lines = (words: string) =>
    words
      .split('\n')
      .map(line => `${indent};${line === '' ? '' : ` ${line}`}\n`)
      .join('');
  return comments.map(lines).join('\n');
}
