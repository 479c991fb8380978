// The model is told of exactly the operations it has.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { tagsGuide, toolsOfOperations } from '../../../../src/engine/reasoning/operations/offer.ts';
import { readCall, readReply } from '../../../../src/engine/reasoning/operations/read-operations.ts';
import { tagNames } from '../../../../src/engine/reasoning/operations/table.ts';
import { cases } from './cases.ts';

const tools = toolsOfOperations(false);
const validators = new Map(
  tools.map(({ name, input }) => [name, new Ajv2020({ strict: true, allowUnionTypes: true }).compile(input)]),
);

describe('the tools', () => {
  test('are these', () =>
    expect(tools.map(({ name }) => name)).toEqual([
      'js',
      'datavault',
      'memory',
      'task',
      'goal',
      'final_output',
    ]));

  test('are described in short', () => expect(JSON.stringify(tools).length).toBeLessThan(4_500));

  test('have the inputs that the rows which succeed have', () => {
    let checked = 0;
    for (const [, rows] of cases)
      for (const [, steps] of rows)
        for (const [name, input, expected] of steps) {
          const fits = validators.get(name);
          const isTyped =
            typeof input === 'object' &&
            input !== null &&
            !('important' in input && typeof input.important === 'string');
          if (!fits || !isTyped || (typeof expected === 'string' && expected.startsWith('!'))) continue;
          expect([input, fits(input)]).toEqual([input, true]);
          checked++;
        }
    expect(checked).toBeGreaterThan(50);
  });

  test.each([
    ['js', {}],
    ['js', { code: '1', language: 'ts' }],
    ['datavault', { content: 'x' }],
    ['datavault', { id: 'a', type: 'json' }],
    ['datavault', { id: 'a', action: 'request_read', limit: 0 }],
    ['task', { identifier: 't', status: 'open' }],
    ['final_output', {}],
  ])('refuse %s %j, and so does reading the call or applying it', (name, input) => {
    expect(validators.get(name)?.(input)).toBe(false);
    const read = readCall(name, input, []);
    expect('message' in read || ['vault', 'task'].includes(read.kind)).toBe(true);
  });
});

describe('the guide', () => {
  const guide = tagsGuide([], true, false);

  test('is short', () => expect(Buffer.byteLength(guide)).toBeLessThanOrEqual(1_536));

  test('shows every tag, each as it can be read', () => {
    for (const tag of tagNames) expect(guide).toContain(`{{<${tag}`);
    const { items } = readReply(guide);
    expect(items.filter(item => 'problem' in item)).toEqual([]);
    expect(items.map(item => ('operation' in item ? item.operation.kind : ''))).toEqual([
      'js',
      'vault',
      'vault',
      'memory',
      'task',
      'goal',
      'tool',
      'ask',
      'final',
    ]);
  });

  test('of a session without operations tells of its tools, and how to end', () => {
    const tool = { name: 'read_file', description: 'Reads a file.', input: { type: 'object' } };
    const own = tagsGuide([tool], false, false);
    expect(own).toContain('- read_file: Reads a file. Its JSON: {"type":"object"}');
    expect(own).not.toContain('{{<memory');
    const { items } = readReply(own);
    expect(items.map(item => ('operation' in item ? item.operation.kind : ''))).toEqual(['tool', 'final']);
  });
});
