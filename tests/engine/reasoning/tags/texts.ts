// Random texts out of the parts of tags and fences, so that many are nearly right.
import fc from '../../../properties.ts';
import { tagNames } from '../../../../src/engine/reasoning/operations/table.ts';

const names = fc.constantFrom(...tagNames, 'ask', 'ask', 'goal', 'js', 'aks', 'constructor');
const quotes = fc.constantFrom('"', "'");
const values = fc.constantFrom('a', 'delete', 'a>}}', '{{<ask>}}', '\n```\n', '', "'", '"', 'a b', 'é😀');
const attributes = fc
  .tuple(fc.constantFrom('identifier', 'id', 'action', 'status', 'content', 'name', 'wrong'), quotes, values)
  .map(([name, quote, value]) => ` ${name}=${quote}${value}${quote}`);
const tags = fc
  .tuple(
    names,
    fc.array(attributes, { maxLength: 3 }),
    fc.constantFrom('>}}', '/>}}', ' />}}', ' >}}', '>}', ''),
  )
  .map(([name, written, end]) => `{{<${name}${written.join('')}${end}`);
const closings = names.map(name => `{{</${name}>}}`);
const sound = fc.constantFrom(
  '{{<goal identifier="g" status="open" />}}',
  '{{<ask>}}\nwhy?\n{{</ask>}}',
  '{{<tool name="a">}}{}{{</tool>}}',
  '{{<memory action="delete" identifier="m"/>}}',
);
const fences = fc
  .tuple(
    fc.constantFrom('', '\n', '\r', '\r\n', '\n   ', '\n    '),
    fc.constantFrom('```', '````', '~~~', '``', '~~~~'),
  )
  .chain(([before, run]) =>
    fc.constantFrom('', 'js', '\n', ' \n', '\r\n', '`').map(behind => before + run + behind),
  );
const crumbs = fc.constantFrom(
  ...[
    '{{<',
    '{{</',
    '{',
    '}',
    '>}}',
    '>',
    '/',
    '"',
    "'",
    '=',
    ' ',
    '\n',
    '\r',
    '`',
    '~',
    'a',
    '-',
    'ask',
    'goal',
  ],
);
const prose = fc.constantFrom('some prose\n', 'a', '\n\n', 'x < y }} {{ z', 'é', '😀');

/** Prose, the beginnings of lines and quotes, inline code. */
const begun = fc.constantFrom(
  '',
  '\n',
  '\n',
  '\r',
  '\n   ',
  '\n    ',
  ' ',
  '> ',
  '\n> ',
  '\n   >',
  '`',
  '``',
);

/** Texts of up to some hundred characters. */
export const texts = fc
  .array(fc.tuple(begun, fc.oneof(tags, closings, sound, fences, crumbs, prose)), { maxLength: 14 })
  .map(parts => parts.flat().join(''));
