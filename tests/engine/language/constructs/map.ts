// `map`: one task for each element of a list. What runs side by side is in side-by-side.test.ts.
import { ends, fails, gives, output, replies, type Row, rule, sequence, syntax, task } from './row.ts';

const map = (over: string, inner = task('in', '{{index}}: {{item}}'), more = '') =>
  `<task type="map" name="m">${over}<inner_task>${inner}</inner_task>${more}</task>`;
const list = (value: string) => `<over>${value}</over>`;

export const maps: Row[] = [
  gives('over a JSON list', map(list('["a", "b"]')), {
    status: 'COMPLETE',
    content: '["0: a","1: b"]',
    outputs: { results: [{ content: '0: a', outputs: {} }, { content: '1: b' }] },
    notes: { dataUsage: { turns: 2 } },
  }),
  gives('over lines', map(list('\n  one\n\n  two\n')), '["0: one","1: two"]'),
  gives(
    'over a list that a caller gives',
    `<task type="map"><inputs><input name="names"/></inputs><over from="names"/><inner_task>${task('in', '{{item}}')}</inner_task></task>`,
    '["x","2","true","null"]',
    { inputs: { names: ['x', 2, true, null] } },
  ),
  gives(
    'over the content of a step',
    sequence(task('plan', 'x'), map('<over from="plan"/>')),
    '["0: first","1: second"]',
    { replies: { plan: '["first", "second"]' } },
  ),
  gives(
    'over a list in a fence, with words around it',
    sequence(task('plan', 'x'), map('<over from="plan"/>')),
    '["0: first","1: second"]',
    { replies: { plan: 'Here it is:\n\n```json\n["first",\n "second"]\n```\nThat is all.' } },
  ),
  ends(
    'over a reply that is prose',
    `<task type="sequential"><steps>${task('plan', 'x')}¦${map('<over from="plan"/>')}</steps></task>`,
    {
      code: 'INVALID_OUTPUT',
      violations: ['what <over> is given is no JSON list: "- first\\n- second"'],
    },
    { replies: { plan: '- first\n- second' }, message: 'Ask for a JSON list', ran: ['plan'] },
  ),
  ends(
    'over a reply with two lists',
    sequence(task('plan', 'x'), map('<over from="plan"/>')),
    'INVALID_OUTPUT',
    { replies: { plan: 'Either\n\n["a"]\n\nor\n\n["b"]' }, ran: ['plan'] },
  ),
  gives(
    'over what a script printed: its lines',
    sequence('<task type="script" name="ls"><command>ls</command></task>', map('<over from="ls"/>')),
    '["0: a.ts","1: b.ts"]',
    { scripts: { ls: { stdout: 'a.ts\n\n b.ts \n' } } },
  ),
  ends(
    'over what a script printed, of which the middle is left out',
    sequence('<task type="script" name="ls"><command>ls</command></task>', map('<over from="ls"/>')),
    'INVALID_INPUT',
    {
      scripts: { ls: { stdout: 'a\nb', stdout_cut: true } },
      message: 'of which the middle is left out: print less, or write it to a file',
      ran: [],
    },
  ),
  gives(
    'over the content of a step that has outputs',
    sequence(
      `<task name="plan"><description>x</description>${output('n', 'number')}</task>`,
      map('<over from="plan"/>'),
    ),
    '["0: a","1: b"]',
    { replies: { plan: replies({ content: '["a", "b"]', n: 2 }) } },
  ),
  gives('over what a task gives first', map(list(task('find', 'x'))), '["0: f"]', {
    replies: { find: '["f"]' },
    ran: ['find', 'in'],
  }),
  gives(
    'an element that is an object has fields',
    map(list('[{"name": "Ada", "n": 1}]'), task('in', '{{item.name}} {{item.n}} {{item}}')),
    { content: replies(['Ada 1 {"name":"Ada","n":1}']) },
  ),
  gives(
    'an empty list',
    map(list('[]')),
    { status: 'COMPLETE', content: '[]', outputs: { results: [] } },
    { ran: [] },
  ),
  ends(
    'an object is no list',
    `<task type="sequential"><inputs><input name="x"/></inputs><steps>¦${map('<over from="x"/>')}</steps></task>`,
    'INVALID_INPUT',
    { inputs: { x: { a: 1 } }, message: '<over> is neither a JSON list nor a text', ran: [] },
  ),
  ends(
    'an object that has a list is none',
    `<task type="sequential"><inputs><input name="x"/></inputs><steps>${map('<over from="x"/>')}</steps></task>`,
    'INVALID_INPUT',
    { inputs: { x: { a: ['b'] } }, ran: [] },
  ),
  gives(
    'the only list among the outputs of a session',
    sequence(
      `<task name="plan"><description>x</description>${output('n', 'number')}${output('items', 'json')}</task>`,
      map('<over from="plan"/>'),
    ),
    '["0: a","1: b"]',
    { replies: { plan: replies({ n: 2, items: ['a', 'b'] }) } },
  ),
  ends('a list that is too long', map('<over from="rounds"/>'), 'INVALID_INPUT', {
    settings: { test_command: '', rounds: JSON.stringify(Array.from({ length: 10_001 }, () => 0)) },
    message: 'a list of 10001 elements; at most 10000',
    ran: [],
  }),
  ends(
    'an element that fails names itself',
    map(list('["a", "b", "c"]'), task('in', '{{item}}'), '<parallel>1</parallel>'),
    { code: 'TASK_FAILURE', reason: 'failed', step: 'element 2' },
    {
      replies: { in: ['A', fails('no b')] },
      message: 'element 2 ended as failed: no b',
      finished: ['element 1'],
      ran: ['in', 'in'],
    },
  ),
  ends(
    'what an element had finished is kept',
    map(list('["a"]'), sequence(task('s', 'x'), task('t', 'y'))),
    { code: 'TASK_FAILURE', step: 't' },
    { replies: { t: fails('no') }, finished: ['element 1/s'] },
  ),
  gives(
    'the results of a named map',
    sequence(map(list('["a"]')), task('after', '{{m}} {{m.results}}')),
    '["0: a"] [{"content":"0: a","outputs":{}}]',
  ),
  rule(
    'item is not bound outside',
    sequence(map(list('["a"]')), task('after', '¦{{item}}')),
    'nothing binds "item"',
  ),
  rule('an empty list element', map('¦<over></over>'), '<over> is empty: write from="..." or content'),
  syntax(
    'none side by side',
    map(list('[]'), undefined, '¦<parallel>0</parallel>'),
    '<parallel> is a whole number from 1 to 100, not "0"',
  ),
  rule(
    'a function as the inner task',
    map(list('[]'), `¦<task type="function" name="f"><body>${task('b', 'x')}</body></task>`),
    '<inner_task> holds a task that runs; a function stands among <steps> or in a file of its own',
  ),
];
