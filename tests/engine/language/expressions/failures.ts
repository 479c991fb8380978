// Expressions that parse and cannot be evaluated, with `¦` at the error, and the message.

export const failures: readonly [marked: string, message: string][] = [
  ["¦fromJSON('')", 'fromJSON: empty input'],
  ["¦fromJSON(' ')", 'fromJSON: empty input'],
  ['¦fromJSON(null)', 'fromJSON: empty input'],
  ["1 == ¦fromJSON('{a: 1}')", 'fromJSON: Error parsing JSON when evaluating fromJson'],
  ['¦fromJSON(text)', 'fromJSON: Error parsing JSON when evaluating fromJson'],
  ['¦fromJSON(list)', 'fromJSON: Error parsing JSON when evaluating fromJson'],
  ["¦fromJSON('[1,]')", 'fromJSON: Error parsing JSON when evaluating fromJson'],
  ['¦fromJSON(NaN)', 'fromJSON: Error parsing JSON when evaluating fromJson'],
  [`\${{ ¦fromJSON('x') }}`, 'fromJSON: Error parsing JSON when evaluating fromJson'],
  ["¦format('{0}')", 'format: The following format string references more arguments than were supplied: {0}'],
  [
    "¦format('{0} {1}', 'a')",
    'format: The following format string references more arguments than were supplied: {0} {1}',
  ],
  [
    "¦format('{99999999999999999999999999}', 'a')",
    'format: The following format string references more arguments than were supplied: {99999999999999999999999999}',
  ],
  ["¦format('a {')", 'format: The following format string is invalid: a {'],
  ["¦format('a } b', 1)", 'format: The following format string is invalid: a } b'],
  ["¦format('{}', 1)", 'format: The following format string is invalid: {}'],
  ["¦format('{-1}', 1)", 'format: The following format string is invalid: {-1}'],
  ["¦format('{0', 1)", 'format: The following format string is invalid: {0'],
  ["¦case(1, 'a', 'b')", 'case: case predicate must evaluate to a boolean value'],
  ["¦case(false, 'a', 'true', 'b', 'c')", 'case: case predicate must evaluate to a boolean value'],
];
