// Finds where a text stops being JSON. JSON.parse does not always say: for an unexpected token it names no position.
import { type LineColumn, placesIn } from '../../lib/line-column.ts';

const blank = /[ \t\n\r]*/y;
const scalar =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;

type State = 'value' | 'first element' | 'first key' | 'key' | 'colon' | 'after';

/** Line and column (both from 1) of the first character that cannot belong to a JSON text; the end when it is cut off. */
export const jsonErrorPlace = (text: string): LineColumn => placesIn(text)(errorOffset(text));

function errorOffset(text: string): number {
  const open: string[] = [];
  let state: State = 'value';
  let at = 0;
  for (;;) {
    at += match(blank, text, at).length;
    const token = match(scalar, text, at) || text.charAt(at);
    const next = step(state, token, open);
    if (next === undefined) return at;
    at += token.length;
    state = next;
  }
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

/** The state after `token`, or undefined when it may not stand there; keeps the stack of open brackets. */
function step(state: State, token: string, open: string[]): State | undefined {
  const inside = open.at(-1);
  const closes = (inside === '{' && token === '}') || (inside === '[' && token === ']');
  if (closes && (state === 'after' || state === 'first key' || state === 'first element')) {
    open.pop();
    return 'after';
  }
  switch (state) {
    case 'key':
    case 'first key':
      return token.length > 1 && token.startsWith('"') ? 'colon' : undefined;
    case 'colon':
      return token === ':' ? 'value' : undefined;
    case 'after':
      if (token !== ',' || inside === undefined) return undefined;
      return inside === '{' ? 'key' : 'value';
    default:
      if (token === '{' || token === '[') {
        open.push(token);
        return token === '{' ? 'first key' : 'first element';
      }
      return token.length > 1 || /[0-9]/.test(token) ? 'after' : undefined;
  }
}
