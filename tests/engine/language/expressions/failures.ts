// What parses and cannot be evaluated: the expression, with `¦` where the error stands, and the message.

export const failures: readonly [marked: string, message: string][] = [
  ["¦fromJSON('')", 'fromJSON: the text is empty'],
  ["¦fromJSON(' ')", 'fromJSON: the text is empty'],
  ['¦fromJSON(null)', 'fromJSON: the text is empty'],
  ["1 == ¦fromJSON('{a: 1}')", 'fromJSON: the text is not JSON: "{a: 1}"'],
  ['¦fromJSON(text)', 'fromJSON: the text is not JSON: "Hello, World"'],
  ['¦fromJSON(list)', 'fromJSON: the text is not JSON: "Array"'],
  ["¦fromJSON('[1,]')", 'fromJSON: the text is not JSON: "[1,]"'],
  ['¦fromJSON(NaN)', 'fromJSON: the text is not JSON: "NaN"'],
  [`\${{ ¦fromJSON('x') }}`, 'fromJSON: the text is not JSON: "x"'],
  ["¦format('{0}')", 'format: there is no argument for {0}: 0 stand behind the text, counted from 0'],
  [
    "¦format('{0} {1}', 'a')",
    'format: there is no argument for {1}: 1 stands behind the text, counted from 0',
  ],
  [
    "¦format('{99999999999999999999999999}', 'a')",
    'format: there is no argument for {99999999999999999999}: 1 stands behind the text, counted from 0',
  ],
  [
    "¦format('a {')",
    'format: the "{" at character 3 of the text belongs to no placeholder such as {0}; write "{{" for the brace itself',
  ],
  [
    "¦format('a } b', 1)",
    'format: the "}" at character 3 of the text belongs to no placeholder such as {0}; write "}}" for the brace itself',
  ],
  [
    "¦format('{}', 1)",
    'format: the "{" at character 1 of the text belongs to no placeholder such as {0}; write "{{" for the brace itself',
  ],
  [
    "¦format('{-1}', 1)",
    'format: the "{" at character 1 of the text belongs to no placeholder such as {0}; write "{{" for the brace itself',
  ],
  [
    "¦format('{0', 1)",
    'format: the "{" at character 1 of the text belongs to no placeholder such as {0}; write "{{" for the brace itself',
  ],
  ["¦case(1, 'a', 'b')", 'case: argument 1 is a test and must be true or false'],
  ["¦case(false, 'a', 'true', 'b', 'c')", 'case: argument 3 is a test and must be true or false'],
];
