// Cuts the text of an expression into tokens, in one pass.
import { ExpressionError, shown } from './error.ts';

/** `text` is the token as it was written, a string with its quotes; `value` is what a literal stands for. */
export type Token = { offset: number; text: string } & (
  | { kind: 'literal'; value: string | number | boolean | null }
  | { kind: 'name' }
  | { kind: 'symbol' }
  | { kind: 'end' }
);

/** Exactly these words, in this case, and not behind a dot. */
const words: ReadonlyMap<string, number | boolean | null> = new Map<string, number | boolean | null>([
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
]);

const space = /[ \t\r\n]+/y;
const name = /[A-Za-z_][A-Za-z0-9_-]*/y;
const symbol = /==|!=|<=|>=|&&|\|\||[!<>()[\],.*]/y;
/** A quote written twice never ends a string, not even where no other quote follows. */
const quoted = /'(?:[^']|'')*'(?!')/y;
/** Reaches to the next character that ends a number, so that `12ab` is one mistake and not a number and a name. */
const number = /[^\s()[\],!<>=&|]+/y;

/** What people write who come from other languages, and what it is here. */
const hints: readonly [string, string][] = [
  ['===', 'write "=="'],
  ['!==', 'write "!="'],
  ['=', 'write "==" to compare'],
  ['&', 'write "&&"'],
  ['|', 'write "||"'],
  ['"', "strings stand in single quotes, as in 'text'"],
  ['`', "strings stand in single quotes, as in 'text'"],
  ['}}', '"}}" may only end the whole expression'],
  ['${{', '"${{" may only begin the whole expression'],
  ['+', 'there is no arithmetic here'],
  ['-', 'there is no arithmetic here'],
  ['/', 'there is no arithmetic here'],
  ['%', 'there is no arithmetic here'],
];

/** The tokens of `text` between `start` and `end`, and one of kind `end`. Throws ExpressionError. */
export function lex(text: string, start: number, end: number): Token[] {
  const tokens: Token[] = [];
  const source = text.slice(0, end);
  let offset = start;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = offset;
    const found = pattern.exec(source)?.[0];
    if (found !== undefined) offset += found.length;
    return found;
  };
  for (take(space); offset < end; take(space)) {
    const at = offset;
    const previous = tokens.at(-1);
    const first = source[at]!;
    if (first === "'") {
      const found = take(quoted);
      if (found === undefined)
        throw new ExpressionError(
          'the string is not closed: a quote is missing (one inside of a string is written twice)',
          at,
        );
      tokens.push({
        kind: 'literal',
        text: found,
        value: found.slice(1, -1).replaceAll("''", "'"),
        offset: at,
      });
    } else if (startsNumber(first, source[at + 1] ?? '', previous)) {
      tokens.push(numberToken(take(number)!, at, source));
    } else {
      refuseForeign(source, at);
      const symbols = take(symbol);
      const word = symbols === undefined ? take(name) : undefined;
      if (symbols !== undefined) tokens.push({ kind: 'symbol', text: symbols, offset: at });
      else if (word === undefined) throw unexpected(source, at);
      else {
        const value = previous?.text === '.' ? undefined : words.get(word);
        tokens.push(
          value === undefined
            ? { kind: 'name', text: word, offset: at }
            : { kind: 'literal', text: word, value, offset: at },
        );
      }
    }
  }
  tokens.push({ kind: 'end', text: '', offset: end });
  return tokens;
}

/** A dot before a digit begins a number except behind what can have members. */
function startsNumber(first: string, second: string, previous: Token | undefined): boolean {
  if (first !== '.') return /[0-9+-]/.test(first);
  if (!/[0-9]/.test(second)) return false;
  const { kind, text } = previous ?? { kind: 'end', text: '' };
  return kind !== 'name' && !(kind === 'symbol' && [']', ')', '*'].includes(text));
}

function numberToken(text: string, offset: number, source: string): Token {
  const value = Number(text);
  if (!Number.isNaN(value)) return { kind: 'literal', text, value, offset };
  if (text === '-' || text === '+') throw unexpected(source, offset);
  throw new ExpressionError(`${shown(text)} is not a number`, offset);
}

/** `===` and `!==` would otherwise be read as `==` and a stray `=`. */
function refuseForeign(source: string, offset: number): void {
  if (source.startsWith('===', offset) || source.startsWith('!==', offset)) throw unexpected(source, offset);
}

function unexpected(source: string, offset: number): ExpressionError {
  const hint = hints.find(([written]) => source.startsWith(written, offset));
  const piece = hint?.[0] ?? String.fromCodePoint(source.codePointAt(offset)!);
  return new ExpressionError(`unexpected ${shown(piece)}${hint ? `: ${hint[1]}` : ''}`, offset);
}
