// Writes XML: two spaces a level, code in CDATA sections. Two dashes may not stand beside each other in a comment, so a
// backslash is put between them, and one more where some are already.
import { isElements, isSingleLine, type PrintContent, type PrintNode } from './print-node.ts';

/** Lines of a text are indented with their element, which reading takes away again. */
export function printXml({ name, attributes, content, comments }: PrintNode, indent = ''): string {
  const before = (comments?.before ?? []).map(words => `${comment(words, indent)}\n`).join('');
  const body = bodyOf(content, comments?.atEnd ?? [], indent);
  return `${before}${indent}${element(name, attributes, body)}`;
}

function bodyOf(content: PrintContent, atEnd: readonly string[], indent: string): string {
  const inner = `${indent}  `;
  if (typeof content === 'string' && content !== '') {
    const { open, words, close } = characterData(content);
    if (isSingleLine(words)) return `${open}${words}${close}`;
    const lines = words.split('\n').map(line => (line === '' ? '' : `${inner}${line}`));
    return `${open}\n${lines.join('\n')}\n${indent}${close}`;
  }
  if (!isElements(content))
    return [...content].map(inLine).join('') + atEnd.map(words => comment(words, '')).join('');
  const lines = [
    ...content.map(child => printXml(child, inner)),
    ...atEnd.map(words => comment(words, inner)),
  ];
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n${indent}`;
}

/** Beside a text, where white space belongs to it. */
function inLine(node: PrintNode | string): string {
  if (typeof node === 'string') return charactersOf(node);
  const { name, attributes, content, comments } = node;
  const { before = [], atEnd = [] } = comments ?? {};
  const body =
    typeof content !== 'string'
      ? content.map(inLine).join('')
      : isSingleLine(content)
        ? charactersOf(content)
        : `\n${charactersOf(content)}\n`;
  const told = (all: readonly string[]) => all.map(words => comment(words, '')).join('');
  return `${told(before)}${element(name, attributes, `${body}${told(atEnd)}`)}`;
}

function element(name: string, attributes: PrintNode['attributes'], body: string): string {
  const tag = `${name}${attributes.map(([key, value]) => ` ${key}=${attributeValue(value)}`).join('')}`;
  return body === '' ? `<${tag}/>` : `<${tag}>${body}</${name}>`;
}

function comment(words: string, indent: string): string {
  // Escapes a text for an XML comment.
  const lines = words.replace(/(?<=-)(\\*)(?=-)/g, '\\$1').split('\n');
  if (lines.length === 1) return `${indent}<!-- ${lines[0]} -->`.replace('<!--  -->', '<!-- -->');
  return [
    `${indent}<!--`,
    ...lines.map(line => (line === '' ? '' : `${indent}  ${line}`)),
    `${indent}-->`,
  ].join('\n');
}

/** Code is easier to read, and to copy, in a CDATA section than escaped. */
function characterData(words: string): { open: string; words: string; close: string } {
  if (/[<&]/.test(words) && !/\]\]>|\r/.test(words)) return { open: '<![CDATA[', words, close: ']]>' };
  return { open: '', words: charactersOf(words), close: '' };
}

const charactersOf = (words: string) => escaped(words).replaceAll(']]>', ']]&gt;');

function attributeValue(value: string): string {
  const words = escaped(value).replaceAll('\t', '&#9;').replaceAll('\n', '&#10;');
  return words.includes('"') && !words.includes("'") ? `'${words}'` : `"${words.replaceAll('"', '&quot;')}"`;
}

const escaped = (words: string) =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('\r', '&#13;');

/** Text of an XML comment, unescaped. */
export const fromXmlComment = (words: string): string => words.replace(/(?<=-)\\(\\*)(?=-)/g, '$1');
