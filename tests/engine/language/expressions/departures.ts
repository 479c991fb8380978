// Where GitHub's library for editors and this language differ, on purpose: each row says why.
import type { Json } from '../../../../src/lib/json.ts';

export interface Departure {
  text: string;
  /** `refused` does not parse. */
  ours: { value: Json } | 'refused';
  theirs: { value: Json } | 'refused';
  because: string;
}

export const departures: readonly Departure[] = [
  {
    text: "'a''b''c'",
    ours: { value: "a'b'c" },
    theirs: { value: "a'b''c" },
    because: 'their lexer replaces the first pair of quotes only; the runner of workflows replaces every one',
  },
  {
    text: "join('a',)",
    ours: 'refused',
    theirs: { value: 'a' },
    because: 'a comma with nothing behind it is a slip, and the runner of workflows refuses it',
  },
  {
    text: `toJSON(fromJSON('{"A": 1, "a": 2}'))`,
    ours: { value: '{\n  "A": 1,\n  "a": 2\n}' },
    theirs: { value: '{\n  "A": 1\n}' },
    because: 'data is handed on whole; only the look-up of a member takes the first of two names',
  },
  {
    text: `fromJSON('{"constructor": 1}').constructor`,
    ours: { value: 1 },
    theirs: { value: null },
    because: 'their index of members is an ordinary object, which takes the name for one that is there',
  },
];
