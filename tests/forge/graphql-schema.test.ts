// The forge's part of the GraphQL schema is a part of GitHub's own, as @octokit/graphql-schema has it.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { reduced, servedFile } from './graphql-schema.ts';

describe("GitHub's schema", () => {
  test('has every type, field, argument and value of the forge, as it is there', () => {
    const served = readFileSync(servedFile, 'utf8');
    expect(reduced(served)).toBe(served);
  });

  test.each<[name: string, part: string]>([
    ['a field that GitHub has not', 'type Query { viewer: User! nonsense: Int }'],
    ['another type of a field', 'type Query { viewer: User }'],
    ['an argument that GitHub has not', 'type Query { viewer(x: Int): User! }'],
    ['a type that GitHub has not', 'type Query { viewer: User! } type Nonsense { id: ID! }'],
  ])('is renewed without %s', (_name, part) => {
    expect(reduced(part)).toContain('type Query {\n  viewer: User!\n}');
  });
});
