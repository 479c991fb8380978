// `map`: one task for each element of a list. What runs side by side is in side-by-side.test.ts.
import { fails, output, type Row, replies, sequence, task } from './row.ts';

const map = (over: string, inner = task('in', '{{index}}: {{item}}'), more = '') =>
  `<task type="map" name="m">${over}<inner_task>${inner}</inner_task>${more}</task>`;
const list = (value: string) => `<over>${value}</over>`;

export const maps: Row[] = [
  {
    name: 'over a JSON list',
    program: map(list('["a", "b"]')),
    expected: {
      result: {
        status: 'COMPLETE',
        content: '["0: a","1: b"]',
        outputs: { results: [{ content: '0: a', outputs: {} }, { content: '1: b' }] },
        notes: { dataUsage: { turns: 2 } },
      },
    },
  },
  {
    name: 'over lines',
    program: map(list('\n  one\n\n  two\n')),
    expected: { result: { content: '["0: one","1: two"]' } },
  },
  {
    name: 'over a list that a caller gives',
    program: `<task type="map"><inputs><input name="names"/></inputs><over from="names"/><inner_task>${task('in', '{{item}}')}</inner_task></task>`,
    inputs: { names: ['x', 2, true, null] },
    expected: { result: { content: '["x","2","true","null"]' } },
  },
  {
    name: 'over the output of a step',
    program: sequence(
      `<task name="plan"><description>x</description>${output('items', 'json')}</task>`,
      map('<over from="plan.items"/>'),
    ),
    replies: { plan: replies({ items: ['p', 'q'] }) },
    expected: { result: { content: '["0: p","1: q"]' } },
  },
  {
    name: 'over the content of a step',
    program: sequence(task('plan', 'x'), map('<over from="plan"/>')),
    replies: { plan: '["first", "second"]' },
    expected: { result: { content: '["0: first","1: second"]' } },
  },
  {
    name: 'over a list in a fence, with words around it',
    program: sequence(task('plan', 'x'), map('<over from="plan"/>')),
    replies: { plan: 'Here it is:\n\n```json\n["first",\n "second"]\n```\nThat is all.' },
    expected: { result: { content: '["0: first","1: second"]' } },
  },
  {
    name: 'over a reply that is prose',
    program: `<task type="sequential"><steps>${task('plan', 'x')}¦${map('<over from="plan"/>')}</steps></task>`,
    replies: { plan: '- first\n- second' },
    expected: {
      error: {
        code: 'INVALID_OUTPUT',
        violations: ['what <over> is given is no JSON list: "- first\\n- second"'],
      },
      message: 'Ask for a JSON list',
      ran: ['plan'],
    },
  },
  {
    name: 'over a reply with two lists',
    program: sequence(task('plan', 'x'), map('<over from="plan"/>')),
    replies: { plan: 'Either\n\n["a"]\n\nor\n\n["b"]' },
    expected: { error: { code: 'INVALID_OUTPUT' }, ran: ['plan'] },
  },
  {
    name: 'over a reply that is an object',
    program: sequence(task('plan', 'x'), map('<over from="plan"/>')),
    replies: { plan: '{"items": ["a"]}' },
    expected: { error: { code: 'INVALID_OUTPUT' }, ran: ['plan'] },
  },
  {
    name: 'over what a script printed: its lines',
    program: sequence('<task type="script" name="ls"><command>ls</command></task>', map('<over from="ls"/>')),
    scripts: { ls: { stdout: 'a.ts\n\n b.ts \n' } },
    expected: { result: { content: '["0: a.ts","1: b.ts"]' } },
  },
  {
    name: 'over what a script printed, of which the middle is left out',
    program: sequence('<task type="script" name="ls"><command>ls</command></task>', map('<over from="ls"/>')),
    scripts: { ls: { stdout: 'a\nb', stdout_cut: true } },
    expected: {
      error: { code: 'INVALID_INPUT' },
      message: 'of which the middle is left out: print less, or write it to a file',
      ran: [],
    },
  },
  {
    name: 'over the content of a step that has outputs',
    program: sequence(
      `<task name="plan"><description>x</description>${output('n', 'number')}</task>`,
      map('<over from="plan"/>'),
    ),
    replies: { plan: replies({ content: '["a", "b"]', n: 2 }) },
    expected: { result: { content: '["0: a","1: b"]' } },
  },
  {
    name: 'over the results of a map',
    program: sequence(
      `<task type="map" name="first"><over>["a", "b"]</over><inner_task>${task('up', '{{item}}!')}</inner_task></task>`,
      map('<over from="first"/>'),
    ),
    expected: { result: { content: '["0: a!","1: b!"]' } },
  },
  {
    name: 'over what a task gives first',
    program: map(list(task('find', 'x'))),
    replies: { find: '["f"]' },
    expected: { result: { content: '["0: f"]' }, ran: ['find', 'in'] },
  },
  {
    name: 'an element that is an object has fields',
    program: map(list('[{"name": "Ada", "n": 1}]'), task('in', '{{item.name}} {{item.n}} {{item}}')),
    expected: { result: { content: replies(['Ada 1 {"name":"Ada","n":1}']) } },
  },
  {
    name: 'an element without a field that is read',
    program: map(list('[{"name": "Ada"}]'), task('in', '¦{{item.nmae}}')),
    expected: {
      error: { code: 'TASK_FAILURE', reason: 'missing_input', step: 'element 1' },
      message: 'Missing required input: item.nmae',
      ran: [],
    },
  },
  {
    name: 'an empty list',
    program: map(list('[]')),
    expected: { result: { status: 'COMPLETE', content: '[]', outputs: { results: [] } }, ran: [] },
  },
  {
    name: 'an object is no list',
    program: `<task type="sequential"><inputs><input name="x"/></inputs><steps>¦${map('<over from="x"/>')}</steps></task>`,
    inputs: { x: { a: 1 } },
    expected: {
      error: { code: 'INVALID_INPUT' },
      message: '<over> is neither a JSON list nor a text',
      ran: [],
    },
  },
  {
    name: 'an object that has a list is none',
    program: `<task type="sequential"><inputs><input name="x"/></inputs><steps>${map('<over from="x"/>')}</steps></task>`,
    inputs: { x: { a: ['b'] } },
    expected: { error: { code: 'INVALID_INPUT' }, ran: [] },
  },
  {
    name: 'the only list among the outputs of a session',
    program: sequence(
      `<task name="plan"><description>x</description>${output('n', 'number')}${output('items', 'json')}</task>`,
      map('<over from="plan"/>'),
    ),
    replies: { plan: replies({ n: 2, items: ['a', 'b'] }) },
    expected: { result: { content: '["0: a","1: b"]' } },
  },
  {
    name: 'a number is no list',
    program: `<task type="sequential"><inputs><input name="x"/></inputs><steps>${map('<over from="x"/>')}</steps></task>`,
    inputs: { x: 5 },
    expected: { error: { code: 'INVALID_INPUT' } },
  },
  {
    name: 'a list that is too long',
    program: map('<over from="rounds"/>'),
    settings: { test_command: '', rounds: JSON.stringify(Array.from({ length: 10_001 }, () => 0)) },
    expected: {
      error: { code: 'INVALID_INPUT' },
      message: 'a list of 10001 elements; at most 10000',
      ran: [],
    },
  },
  {
    name: 'an element that fails names itself',
    program: map(list('["a", "b", "c"]'), task('in', '{{item}}'), '<parallel>1</parallel>'),
    replies: { in: ['A', fails('no b')] },
    expected: {
      error: { code: 'TASK_FAILURE', reason: 'failed', step: 'element 2' },
      message: 'element 2 ended as failed: no b',
      finished: ['element 1'],
      ran: ['in', 'in'],
    },
  },
  {
    name: 'what an element had finished is kept',
    program: map(list('["a"]'), sequence(task('s', 'x'), task('t', 'y'))),
    replies: { t: fails('no') },
    expected: { error: { code: 'TASK_FAILURE', step: 't' }, finished: ['element 1/s'] },
  },
  {
    name: 'the results of a named map',
    program: sequence(map(list('["a"]')), task('after', '{{m}} {{m.results}}')),
    expected: { result: { content: '["0: a"] [{"content":"0: a","outputs":{}}]' } },
  },
  {
    name: 'outputs of each element',
    program: map(
      list('["a"]'),
      `<task name="in"><description>x</description>${output('n', 'number')}</task>`,
    ),
    replies: { in: '{"n": 4}' },
    expected: { result: { outputs: { results: [{ content: '{"n":4}', outputs: { n: 4 } }] } } },
  },
  {
    name: 'a map in a map has its own item',
    program: map(
      list('["a", "b"]'),
      `<task type="map"><inputs><input name="outer" from="item"/></inputs><over>["1"]</over><inner_task>${task('in', '{{outer}}{{item}}{{index}}')}</inner_task></task>`,
    ),
    expected: { result: { content: '[["a10"],["b10"]]' } },
  },
  {
    name: 'item is not bound outside',
    program: sequence(map(list('["a"]')), task('after', '¦{{item}}')),
    expected: { kind: 'rule', problems: ['nothing binds "item"'] },
  },
  {
    name: 'an empty list element',
    program: map('¦<over></over>'),
    expected: { kind: 'rule', problems: ['<over> is empty: write from="..." or content'] },
  },
  {
    name: 'none side by side',
    program: map(list('[]'), undefined, '¦<parallel>0</parallel>'),
    expected: { kind: 'syntax', problems: ['<parallel> is a whole number from 1 to 100, not "0"'] },
  },
  {
    name: 'two inner tasks',
    program: `<task type="map"><over>[]</over><inner_task>${task('a', 'x')}¦${task('b', 'x')}</inner_task></task>`,
    expected: { kind: 'syntax', problems: ['a second <task>: one is allowed'] },
  },
  {
    name: 'a function as the inner task',
    program: map(list('[]'), `¦<task type="function" name="f"><body>${task('b', 'x')}</body></task>`),
    expected: {
      kind: 'rule',
      problems: [
        '<inner_task> holds a task that runs; a function stands among <steps> or in a file of its own',
      ],
    },
  },
];
