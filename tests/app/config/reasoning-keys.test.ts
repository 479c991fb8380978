// Holds what docs/configuration.md says of `reasoning` to its schema and its defaults.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Config } from '../../../src/app/config/config.ts';
import { tableRows } from '../../engine/reasoning/table-rows.ts';

const configuration = readFileSync('docs/configuration.md', 'utf8');

const code = (text: string) => `\`${text}\``;
const codes = (texts: readonly string[]) => texts.map(code).join(', ');

/** Every leaf of `reasoning` with what it takes and its default, as the configuration's schema says. */
const keys = () => {
  interface Schema {
    type?: string;
    enum?: string[];
    default?: unknown;
    properties?: Record<string, Schema>;
    additionalProperties?: Schema | boolean;
  }
  const schema = z.toJSONSchema(Config, { io: 'input', unrepresentable: 'any' }) as Schema;
  const leaves = (path: string, schema: Schema): string[][] => {
    const { properties, additionalProperties: any, enum: names, default: value } = schema;
    if (properties)
      return Object.entries(properties).flatMap(([name, each]) => leaves(`${path}.${name}`, each));
    // Without an entry for a name, what holds for all does.
    if (typeof any === 'object') return leaves(`${path}.<name>`, { ...any, default: 'reasoning.policy' });
    return [[code(path), names ? codes(names) : 'true, false', code(String(value))]];
  };
  return leaves('reasoning', schema.properties!['reasoning']!);
};

test('the page of the configuration names every key', () => {
  const rows = tableRows(configuration, '| key | type | default | meaning |');
  const named = rows.map(row => row.split(' | ', 3).join(' | ').slice(2));
  // For a name without an entry, the row describes the default in words.
  const wanted = keys().map(([key = '', kind = '', value = '']) =>
    `${key} | ${kind} | ${key.endsWith('<name>`') ? '' : value}`.trimEnd(),
  );
  expect(named.map(row => row.trimEnd()).filter(row => row.startsWith('`reasoning.'))).toEqual(wanted);
});
