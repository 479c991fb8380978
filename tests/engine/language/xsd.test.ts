// The published schema and the checker agree: both accept what is good and refuse `syntax`; the checker alone, `rule`.
// The tables of constructs are held against the schema where they are run (constructs/constructs.test.ts).
import { globSync, readFileSync } from 'node:fs';
import fc from '../../properties.ts';
import { expect, test } from 'vitest';
import { createLibrary } from '../../../src/engine/language/library.ts';
import { parseProgram } from '../../../src/engine/language/program.ts';
import { placesOf } from './marks.ts';
import { problemCases } from './problem-cases.ts';
import { choices, librarySources, randomProgram } from './random-programs.ts';
import { refusedBySchema } from './schema.ts';

const { library } = createLibrary(librarySources);
const programs = globSync('prompts/**/*.xml').sort();

test('there are programs', () => {
  expect(programs.length).toBeGreaterThanOrEqual(4);
});

test.each(programs)('%s is good', file => {
  const source = readFileSync(file, 'utf8');
  expect(refusedBySchema(source)).toBeUndefined();
  expect(parseProgram(source, file).problems).toEqual([]);
});

test.each(Object.entries(problemCases))('problem: %s', (_name, { kind, source: marked }) => {
  const { source } = placesOf(marked);
  expect(refusedBySchema(source) !== undefined, 'the schema refuses it').toBe(kind === 'syntax');
  expect(parseProgram(source, 'p.xml').program === undefined, 'the checker refuses it').toBe(
    kind !== 'warning',
  );
});

test('a subtype that is not of the language may be registered, so the schema lets it be', () => {
  for (const subtype of ['standard', 'director', 'my-own'])
    expect(refusedBySchema(`<task subtype="${subtype}"><description>x</description></task>`)).toBeUndefined();
});

test('the schema refuses nothing that the checker accepts, whatever is done to a program', () => {
  const values = [
    '',
    ' ',
    '0',
    '1',
    '07',
    '2.0',
    '51',
    'true',
    'x',
    'a.b',
    'é',
    '{{rounds}}',
    '{{ rounds }}',
    'ask,js',
  ];
  const mutated = fc
    .tuple(choices, fc.nat(), fc.nat(), fc.constantFrom('drop', 'double', 'move', 'value', 'text'), fc.nat())
    .map(([choose, first, second, how, which]) => {
      const tokens = randomProgram(choose).split(/(<[^<>]*>)/);
      const [at, other] = [first % tokens.length, second % tokens.length];
      const token = tokens[at]!;
      const value = values[which % values.length]!;
      if (how === 'drop') tokens[at] = '';
      else if (how === 'double') tokens[at] = token + token;
      else if (how === 'move') tokens[at] = tokens[other]!;
      else if (how === 'value') tokens[at] = token.replace(/"[^"]*"/, `"${value}"`);
      else if (!token.startsWith('<')) tokens[at] = value;
      return tokens.join('');
    });
  let accepted = 0;
  fc.assert(
    fc.property(mutated, source => {
      if (!parseProgram(source, 'p.xml', library).program) return;
      accepted++;
      expect(refusedBySchema(source)).toBeUndefined();
    }),
    { numRuns: 1_000 },
  );
  expect(accepted).toBeGreaterThan(100);
});
