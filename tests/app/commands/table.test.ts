// The rows of the commands: each describes and reads itself, and nothing else in the house has to know its name.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { help } from '../../../src/app/commands/help.ts';
import { parseCommands } from '../../../src/app/commands/parse.ts';
import { changingRow, commands, signalCommands, table } from '../../../src/app/commands/table.ts';
import type { Json } from '../../../packages/ground/lib/json.ts';
import { signalOf } from '../../../src/app/run/receive-signals.ts';

const helpLines = () =>
  help.answers.of === 'commands'
    ? help.answers
        .say(table)
        .split('\n')
        .filter(line => line.startsWith('| `'))
    : [];

test.for(Object.entries(commands))('%s stands in its file, under its name', ([key, row]) => {
  expect(row.name).toBe(key);
  expect(row.usage).toMatch(new RegExp(`^/${key}\\b`));
  expect(readFileSync(`src/app/commands/${key}.ts`, 'utf8')).toMatch(new RegExp(`^// /${key}\\b`));
});

test.for(table)('the example of /$name reads as itself', row => {
  const { commands: read, problems } = parseCommands(row.example);
  expect(problems).toEqual([]);
  expect(read).toMatchObject([{ name: row.name, line: 1 }]);
});

test.for(signalCommands)('what the example of /%s says is a value that its signal takes', name => {
  const row = changingRow(name)!;
  const [command] = parseCommands(row.example).commands;
  // As it comes out of a record.
  const { value } = JSON.parse(JSON.stringify(signalOf(command!, { id: 7, author: 'wanda' }))) as {
    value: Json;
  };
  expect(row.value.parse(value)).toStrictEqual(value);
});

describe('help', () => {
  test('has one line for each command, in their order', () => {
    expect(helpLines().map(line => /`\/([\w-]+)/.exec(line)?.[1])).toEqual(Object.keys(commands));
  });
  test('holds no command', () => {
    expect(parseCommands(helpLines().join('\n'))).toEqual({ commands: [], problems: [] });
  });
});
