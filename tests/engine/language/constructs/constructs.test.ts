// Every construct of the task language by its table: checked, evaluated, and held against the published schema.
import { describe, expect, test } from 'vitest';
import { createLibrary, type Library } from '../../../../src/engine/language/library.ts';
import { formatProblem } from '../../../../src/engine/language/problem.ts';
import { parseProgram } from '../../../../src/engine/language/program.ts';
import { bindTool } from '../../../../src/engine/language/tool.ts';
import type { ScriptRequest } from '../../../../src/engine/tasks/evaluate.ts';
import { evaluating, failed } from '../../tasks/surroundings.ts';
import { placesOf } from '../marks.ts';
import { refusedBySchema } from '../schema.ts';
import type { Row } from './row.ts';
import { constructs } from './tables.ts';

test('there are enough rows', () => {
  expect(Object.values(constructs).flat().length).toBeGreaterThanOrEqual(200);
});

for (const [construct, rows] of Object.entries(constructs))
  describe(construct, () => {
    test('names its rows apart', () => {
      expect(new Set(rows.map(row => row.name)).size).toBe(rows.length);
    });

    test.each(rows)('$name', async row => {
      const { source, places } = placesOf(row.program);
      const library = libraryOf(row);
      const { program, problems } = parseProgram(source, 'test.xml', library);
      const found = problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
      const { expected } = row;
      if ('problems' in expected) {
        expect(found).toEqual(
          expected.problems.map((message, index) => `${(row.places ?? places)[index]} ${message}`),
        );
        expect(program === undefined, 'refused').toBe(expected.kind !== 'warning');
        return;
      }
      if (!program) throw new Error(`the checker refuses it:\n${problems.map(formatProblem).join('\n')}`);
      const played = play(row, library);
      const { result, requests } = evaluating(program, row.inputs ?? {}, played.answer, played.options);
      if ('error' in expected) {
        const error = await failed(result);
        expect(error.detail).toMatchObject(expected.error);
        expect(error.message).toContain(row.message ?? '');
        if (places[0] !== undefined) expect(error.message).toContain(`test.xml:${places[0]}`);
        if (row.finished) expect((error.notes.steps ?? []).map(({ step }) => step)).toEqual(row.finished);
      } else expect(await result).toMatchObject(expected.result);
      checkSeen(row, requests, played.commands);
    });

    test.each(rows)('$name: the schema', ({ program, library, expected }) => {
      const refused = refusedBySchema(placesOf(program).source);
      if ('problems' in expected && expected.kind === 'syntax') expect(refused).toBeDefined();
      else expect(refused).toBeUndefined();
      if ('problems' in expected) return;
      for (const source of Object.values(library ?? {})) expect(refusedBySchema(source)).toBeUndefined();
    });
  });

function libraryOf({ library = {} }: Row): Library {
  const made = createLibrary(Object.entries(library).map(([file, text]) => ({ file, text })));
  if (made.problems.length > 0) throw new Error(made.problems.map(formatProblem).join('\n'));
  return made.library;
}

function play({ replies = {}, scripts, settings, tools = [] }: Row, library: Library) {
  const commands: ScriptRequest[] = [];
  const script = async (request: ScriptRequest) => {
    commands.push(request);
    const outcome = scripts?.[request.command];
    if (!outcome) throw new Error(`nobody plays the command ${request.command}`);
    return { exit_code: 0, stdout: '', stderr: '', timed_out: false, ...outcome };
  };
  return {
    commands,
    answer: (name: string, n: number, { prompt }: { prompt: string }) => {
      const given = replies[name];
      if (given === undefined) return prompt;
      if (typeof given === 'string') return given;
      const reply = given[n];
      if (reply === undefined) throw new Error(`${name} is asked more than ${given.length} times`);
      return reply;
    },
    options: {
      library,
      tools: tools.map(name => bindTool(name, async () => '')),
      ...(scripts && { script }),
      ...(settings && { settings }),
    },
  };
}

type Requests = Awaited<ReturnType<typeof evaluating>>['requests'];

function checkSeen(expected: Row, requests: Requests, commands: ScriptRequest[]): void {
  for (const [name, prompts] of Object.entries(expected.asked ?? {}))
    expect(
      requests.filter(each => each.task === name).map(({ prompt }) => prompt),
      name,
    ).toEqual(prompts);
  if (expected.ran) expect(requests.map(each => each.task)).toEqual(expected.ran);
  for (const [name, parts] of Object.entries(expected.sessions ?? {})) {
    const request = requests.find(each => each.task === name);
    expect({ ...request, tools: request?.tools.map(tool => tool.name) }).toMatchObject(parts);
  }
  if (expected.commands) expect(commands).toMatchObject(expected.commands);
}
