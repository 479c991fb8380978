// Particulars of the two forms: order, positions and prose of a text; the shapes of a call's input.
import { describe, expect, test } from 'vitest';
import { readCall, readReply } from '../../../../src/engine/reasoning/operations/read-operations.ts';
import type { ReplyItem } from '../../../../src/engine/reasoning/operations/read-operations.ts';

const short = (item: ReplyItem) =>
  'problem' in item
    ? `${item.problem.line}:${item.problem.column} ! ${item.problem.message}`
    : `${item.at.line}:${item.at.column} ${item.operation.kind}`;

describe('a reply', () => {
  test('operations and problems in the order of the text, prose around them', () => {
    const { items, prose } = readReply(
      [
        'First I note it. ',
        '{{<memory identifier="m" heading="h" content="c" />}} {{<goal />}}',
        'Then',
        '  {{<tool name="read_file">}}{path}{{</tool>}}',
        '{{<memry identifier="m" />}}',
        '```\n{{<ask>}}a{{</ask>}}\n```',
        '{{<final_output>}}done{{</final_output>}}',
      ].join('\n'),
    );
    expect(items.map(short)).toEqual([
      '2:1 memory',
      '2:55 ! goal needs identifier',
      expect.stringMatching(/^4:3 ! the input of the tool "read_file" must be JSON: /),
      expect.stringMatching(/^5:1 ! there is no tag "memry" .*did you mean "memory"\?$/),
      '9:1 final',
    ]);
    expect(prose).toBe(
      'First I note it.\nThen\n{{<memry identifier="m" />}}\n```\n{{<ask>}}a{{</ask>}}\n```',
    );
  });

  test.each([
    ['nothing', '', ''],
    ['only prose', ' a\n', 'a'],
    ['only a tag', '{{<ask>}}a{{</ask>}}', ''],
    ['a reference outside of a body is prose', 'a {{<vaultref id="a" />}}', 'a {{<vaultref id="a" />}}'],
  ])('%s', (_name, text, prose) => expect(readReply(text).prose).toBe(prose));

  test('a tool without a body has an empty input', () => {
    expect(readReply('{{<tool name="list_files" />}}').items).toMatchObject([{ operation: { input: {} } }]);
    expect(readReply('{{<tool name="list_files">}} \n {{</tool>}}').items).toMatchObject([
      { operation: { input: {} } },
    ]);
  });

  test('a hundred thousand malformed tags are told of in a hundred lines, and hide no operation', () => {
    const { items } = readReply(`${'{{<goal x>}}'.repeat(100_000)}{{<ask>}}a{{</ask>}}`);
    expect(items.filter(item => 'operation' in item)).toHaveLength(1);
    expect(items).toHaveLength(102);
    expect(items.at(-1)).toEqual({ problem: { message: 'and 99900 more tags are malformed' } });
  });
});

describe('a call', () => {
  test.each<[string, string, unknown, string]>([
    ['no object', 'js', 'return 1', 'the input of js must be an object with code'],
    [
      'a list',
      'memory',
      [],
      'the input of memory must be an object with identifier, heading, content, notes, important, action',
    ],
    ['null', 'ask', null, 'the input of ask must be an object with question'],
    ['a number for a text', 'js', { code: 1 }, 'code of js must be text'],
    ['a number for an id', 'datavault', { id: 1 }, 'id of datavault must be text'],
    [
      'an object for a content',
      'datavault',
      { id: 'a', content: {} },
      'content of datavault must be text (data: its JSON as a text)',
    ],
    [
      'a boolean for a limit',
      'datavault',
      { action: 'request_read', id: 'a', limit: true },
      'limit of datavault must be a number of characters, or full-length',
    ],
    [
      'a number for important',
      'memory',
      { identifier: 'm', important: 1 },
      'important of memory must be one of true, false',
    ],
    [
      'a field of the prototype',
      'memory',
      JSON.parse('{"__proto__": {}, "identifier": "m"}'),
      'memory has no attribute "__proto__"',
    ],
    ['a name of a property', 'js', { constructor: 1 }, 'js has no attribute "constructor"'],
    ['the tag of another name', 'final_output', { output: 'x' }, 'final_output has no attribute "output"'],
  ])('refused: %s', (_name, name, input, message) => {
    expect(readCall(name, input, [])).toEqual({ message });
  });

  test('null stands for nothing', () =>
    expect(readCall('task', { action: null, identifier: 't', heading: null, status: 'paused' }, [])).toEqual({
      kind: 'task',
      action: 'set',
      identifier: 't',
      fields: { status: 'paused' },
    }));

  test('a tool of the task goes before the operation of its name', () =>
    expect(readCall('ask', { any: 1 }, ['ask'])).toEqual({ kind: 'tool', name: 'ask', input: { any: 1 } }));

  test('names of tags that are no operations are tools', () =>
    expect(readCall('js_execute', {}, [])).toEqual({ kind: 'tool', name: 'js_execute', input: {} }));
});
