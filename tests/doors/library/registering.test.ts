// Names and subtypes that a program may register: names must be free, subtypes must work.
import { describe, expect, test } from 'vitest';
import { createLibrary } from '../../../src/engine/language/library.ts';
import { formatProblem } from '../../../src/engine/language/problem.ts';
import { parseProgram } from '../../../src/engine/language/program.ts';
import { type Subtype, subtypeProblems } from '../../../src/engine/language/subtypes.ts';
import { candidatesIn } from '../../../src/engine/tasks/match.ts';
import { refuse, Registry } from '../../../src/doors/library/registry.ts';
import { evaluating, failed } from '../../engine/tasks/surroundings.ts';

function failing(act: () => void): string {
  try {
    act();
    return '';
  } catch (error) {
    return String(error);
  }
}

const named = (name: string) => `<task name="${name}"><description>x</description></task>`;

describe('the name of a task', () => {
  const product = createLibrary([{ file: 'prompts/tasks/matching.xml', text: named('matching') }]).library;
  const folder = createLibrary([{ file: '.github/echelon/alpha.xml', text: named('alpha') }], {
    outer: product,
  }).library;
  const library = createLibrary([{ file: 'registered.xml', text: named('mine') }], { outer: folder }).library;

  test.each([
    ['of the product', 'matching', 'prompts/tasks/matching.xml'],
    ['of the folder', 'alpha', '.github/echelon/alpha.xml'],
    ['registered before', 'mine', 'registered.xml'],
  ])('%s is taken', (_what, name, file) => {
    expect(() => new Registry(library).register(named(name), 'new.xml')).toThrow(
      `new.xml:1:7 a task "${name}" is registered already (${file}): take another name`,
    );
  });

  test.each([
    ['of nobody', named('free'), undefined],
    ['that is missing', '<task><description>x</description></task>', 'a template needs a name'],
    ['in what is no program', 'no program', 'new.xml:1:1'],
  ])('%s is not', (_what, text, problem) => {
    const problems = failing(() => new Registry(library).register(text, 'new.xml'));
    expect(problems).not.toContain('registered already');
    expect(problems).toContain(problem ?? '');
  });
});

describe('a subtype', () => {
  const plain: Subtype = { turns: 3, outputs: [], continuation: true, clearContext: false };

  test.each<[string, string, Partial<Subtype>, string]>([
    ['the name of one of the language', 'director', {}, 'director: the language has a subtype of that name'],
    ['a name that none can have', 'a b', {}, 'a b: a name has letters'],
    ['no turns', 'quick', { turns: 0 }, 'quick: turns is 0, not a whole number from 1'],
    ['half a turn', 'quick', { turns: 1.5 }, 'quick: turns is 1.5'],
    ['more usual turns than turns', 'quick', { usualTurns: 4 }, 'quick: usualTurns is 4, not a whole number'],
    [
      'an output twice',
      'quick',
      {
        outputs: [
          { name: 'n', type: 'number', nullable: false },
          { name: 'n', type: 'number', nullable: true },
        ],
      },
      'quick: a second output "n"',
    ],
    [
      'an output of no type',
      'quick',
      { outputs: [{ name: 'n', type: 'date' as never, nullable: false }] },
      'quick: output "n" is of type date; there are string, number, boolean, json',
    ],
    [
      'an output without a name',
      'quick',
      { outputs: [{ name: '', type: 'json', nullable: false }] },
      'quick: no output can be declared as ""',
    ],
  ])('may not have %s', (_what, name, more, says) => {
    expect(subtypeProblems({ [name]: { ...plain, ...more } })).toEqual([expect.stringContaining(says)]);
  });

  test('with all in order has no problem', () => {
    const outputs = [{ name: 'n', type: 'json' as const, nullable: true }];
    expect(subtypeProblems({ quick: { ...plain, usualTurns: 2, outputs } })).toEqual([]);
  });

  describe("of the evaluator's own", () => {
    const { library } = createLibrary(
      [
        {
          file: 'r.xml',
          text: '<task name="reparse" subtype="reparse"><inputs><input name="failed_task"/><input name="problems"/></inputs><instructions>{{failed_task}}{{problems}}</instructions></task>',
        },
        { file: 'o.xml', text: '<task name="o" subtype="quiet"><description>x</description></task>' },
        { file: 'p.xml', text: '<task name="p" subtype="loud"><description>x</description></task>' },
      ],
      { subtypes: { quiet: { ...plain, own: true }, loud: plain } },
    );

    test('is not found by what it does', () => {
      expect(candidatesIn(library).map(({ template }) => template.name)).toEqual(['p']);
    });

    test.each([
      ['quiet', 1],
      ['loud', 2],
    ])('%s: sessions after an invalid output', async (subtype, sessions) => {
      const source = `<task subtype="${subtype}"><instructions>x</instructions><output name="n" type="number"/></task>`;
      const { program } = parseProgram(source, 'p.xml', library);
      const answer = (task: string) => (task === 'reparse' ? '{"status":"FAILED","content":"no"}' : 'none');
      const { result, requests } = evaluating(program!, {}, answer, { library });
      await failed(result);
      expect(requests).toHaveLength(sessions);
    });
  });
});

const harmless =
  '<task type="sequential"><steps><task><description>x</description><output name="n" type="number"/></task><task><description>y</description></task></steps></task>';

test.each([
  ['<task><description>x</task>', { code: 'XML_PARSE_ERROR', line: 1, column: 7 }],
  ['<task>\n</taks>', { code: 'XML_PARSE_ERROR', line: 1, column: 1 }],
  ['<task/>', { code: 'VALIDATION_ERROR', path: 'p.xml', line: 1, column: 1 }],
  ['<task nme="x">&</task>', { code: 'VALIDATION_ERROR', path: 'p.xml', line: 1, column: 1 }],
])('%s is refused by its first error', (source, detail) => {
  const { problems } = parseProgram(source, 'p.xml');
  expect(() => refuse(problems)).toThrow(
    expect.objectContaining({ detail, message: problems.map(formatProblem).join('\n') }),
  );
});

test('warnings refuse nothing', () => {
  const { problems } = parseProgram(harmless, 'p.xml');
  expect(problems).toHaveLength(1);
  refuse(problems);
});
