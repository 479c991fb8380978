// Values of the names in the tables.
import type { Json } from '../../../../packages/ground/lib/json.ts';

export const bindings: { readonly [name: string]: Json } = {
  output: {
    valid: true,
    errors: 0,
    summary: 'Two files',
    ratio: 0.5,
    nothing: null,
    Score: 7,
    'with-dash': 1,
  },
  plan: {
    items: [
      { id: 1, title: 'First', labels: ['a', 'b'], owner: { name: 'ann' } },
      { id: 2, title: 'Second', labels: ['c'], owner: { name: 'bob' } },
      { id: 3, labels: [], extra: null },
    ],
    by_name: { x: { n: 1 }, y: { n: 2 }, z: 3 },
    matrix: [[1, 2], [3], []],
  },
  text: 'Hello, World',
  quote: "it's",
  empty: '',
  blank: ' ',
  seven: '7',
  number: 42,
  fraction: 1.5,
  yes: true,
  no: false,
  list: ['one', 'Two', 3, null, true],
  none: [],
  object: { a: 1, B: { c: 'deep' } },
  bare: {},
  'dashed-name': 'd',
  _hidden: 'h',
  tricky: JSON.parse('{"length": 5, "0": "zero", "true": "T", "": "nameless", "ſ": "long s"}'),
};
