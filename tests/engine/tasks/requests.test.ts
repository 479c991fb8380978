// Requests of a director in the notes of a CONTINUATION: another evaluation of its round, or a subtask.
import { describe, expect, test } from 'vitest';
import type { ScriptOutcome } from '../../../src/engine/language/result.ts';
import { bindTool } from '../../../src/engine/language/tool.ts';
import { estimateTokens } from '../../../src/engine/language/trim.ts';
import type { Json } from '../../../packages/ground/lib/json.ts';
import type { EvaluateOptions, ScriptRequest } from '../../../src/engine/tasks/evaluate.ts';
import { libraryOf } from './memory/memory-of.ts';
import { evaluating, failed, type outcome, verdict } from './surroundings.ts';

const library = libraryOf(
  `<task name="security" subtype="evaluator"><description>Judges the security of a change</description>
    <inputs><input name="target_content"/><input name="stdout"/><input name="stderr"/><input name="exit_code"/><input name="criteria"/></inputs>
    <instructions>{{target_content}}|{{stdout}}|{{stderr}}|{{exit_code}}|{{criteria}}</instructions>${verdict}</task>`,
  `<task name="spelling" subtype="evaluator"><inputs><input name="dictionary"/></inputs><description>Judges the spelling {{dictionary}}</description>${verdict}</task>`,
  '<task type="script" name="lint"><description>Runs the linter</description><inputs><input name="target_content"/></inputs><command>lint it</command></task>',
  '<task type="script" name="audit"><inputs><input name="ledger"/></inputs><command>audit it</command></task>',
  `<task name="summarise"><description>Summarises a changelog</description><inputs><input name="log"/><input name="goal"/></inputs>
    <instructions>{{log}} for {{goal}}</instructions></task>`,
  '<task name="dig"><description>Digs in the files</description><tools>shell</tools></task>',
  '<task type="function" name="whales"><description>Counts whales</description><body><task><description>x</description></task></body></task>',
);

const passes: ScriptOutcome = { exit_code: 0, stdout: 'all ok', stderr: '', timed_out: false };
const good = JSON.stringify({ success: true, feedback: null });
const bad = (feedback: string) => JSON.stringify({ success: false, feedback });
const asks = (notes: Json, content = 'so far') => JSON.stringify({ status: 'CONTINUATION', content, notes });

const loop = ({ rounds = 5, script = true, evaluator = true, tools = '' } = {}) =>
  `<task type="director-evaluator"><inputs><input name="goal"/></inputs>
    <director><task name="d"><description>{{goal}}|{{last_evaluator_output}}|{{last_evaluator_output.success}}</description>${tools}</task></director>
    ${script ? '<script><task type="script" name="t"><command>{{test_command}}</command></task></script>' : ''}
    ${evaluator ? `<evaluator><task name="e"><description>declared {{target_content}}</description>${verdict}</task></evaluator>` : ''}
    <max_rounds>${rounds}</max_rounds></task>`;

function directing(
  source: string,
  answer: Parameters<typeof evaluating>[2],
  more: Partial<EvaluateOptions> = {},
) {
  const commands: ScriptRequest[] = [];
  const ran = evaluating(source, { goal: 'G' }, answer, {
    library,
    script: async request => {
      commands.push(request);
      return { ...passes, stdout: `ran ${request.command}` };
    },
    ...more,
  });
  return { ...ran, commands };
}

describe('another evaluation', () => {
  /** The first round asks for `request`, whoever judges is content. */
  const requesting = (request: Json, source = loop(), more: Partial<EvaluateOptions> = {}) =>
    directing(source, task => (task === 'd' ? asks({ evaluation_request: request }) : good), more);

  test('by a template of the library, with the script that was asked for', async () => {
    const { result, requests, commands } = requesting({
      type: 'bash_script',
      criteria: 'the security of the change',
      target: 'lint',
    });
    expect(await result).toMatchObject({
      status: 'COMPLETE',
      content: 'so far',
      notes: { warnings: [], rounds: 1 },
    });
    expect(commands.map(({ command, env }) => [command, env])).toEqual([
      ['lint it', { target_content: 'so far' }],
    ]);
    expect(requests.map(({ task, key }) => [task, key])).toEqual([
      ['d', 'k/director-1'],
      ['security', 'k/evaluator-1'],
    ]);
    expect(requests[1]?.system.stable).not.toContain('so far');
    expect(requests[1]?.prompt).toContain(
      '```\nso far\n```|```\nran lint it\n```||0|the security of the change',
    );
  });

  test.each<[string, Json, command: string, judge: string]>([
    ['the declared script by its name', { type: 'script', target: 't' }, 'npm test', 'e'],
    ['a type that is no script', { type: 'quality', criteria: 'security' }, 'npm test', 'security'],
    [
      'types as a list',
      { type: ['lint', 'script'], target: 'lint', criteria: 'security' },
      'lint it',
      'security',
    ],
  ])('%s', async (_name, request, command, judge) => {
    const { result, requests, commands } = requesting(request);
    expect((await result).notes.warnings).toEqual([]);
    expect(commands.map(each => each.command)).toEqual([command]);
    expect(requests.at(-1)?.task).toBe(judge);
  });

  const seven = 'taste, colour, sound, weight, length, price, security';
  const shape = 'it is not {type, criteria, target}';

  // The declared script and evaluator are used.
  test.each<[string, Json, warning: string]>([
    ['an unknown script', { type: 'script', target: 'lnt' }, 'registered as "lnt"; did you mean "lint"?'],
    ['a name of every object', { type: 'script', target: '__proto__' }, 'is registered as "__proto__"'],
    ['a command', { type: 'script', target: 'rm -rf /' }, 'is registered as "rm -rf /"'],
    ['what is no script', { type: 'script', target: 'dig' }, 'no script is registered as "dig"'],
    ['no target', { type: 'script' }, 'a script needs a target'],
    ['a script whose inputs nothing binds', { type: 'script', target: 'audit' }, 'nothing binds ledger for'],
    ['criteria that nothing fits', { type: 'x', criteria: 'zzz' }, 'no evaluator of the library fits "zzz"'],
    ['an evaluator whose inputs nothing binds', { type: 'x', criteria: 'spelling' }, 'no evaluator'],
    ['a function or a plain task', { type: 'x', criteria: 'whales changelog' }, 'no evaluator'],
    [
      'criteria of which one word in seven fits',
      { type: 'x', criteria: seven },
      'library fits "taste, colour',
    ],
    ['no type', { criteria: 'security' }, shape],
    ['no object', 'please', shape],
    ['a list', ['script'], shape],
  ])('%s', async (_name, request, warning) => {
    const { result, requests, commands } = requesting(request);
    expect((await result).notes.warnings).toEqual([expect.stringContaining(warning)]);
    expect(commands.map(each => each.command)).toEqual(['npm test']);
    expect(requests.at(-1)?.task).toBe('e');
  });

  test('no script runs where scripts are not allowed; what it would have bound is empty', async () => {
    const request = { type: 'script', target: 'lint', criteria: 'security' };
    const { result, requests } = evaluating(
      loop({ script: false }),
      { goal: 'G' },
      task => (task === 'd' ? asks({ evaluation_request: request }) : good),
      { library },
    );
    expect((await result).notes.warnings).toEqual([
      'evaluation_request: scripts are not allowed here; what is declared was run',
    ]);
    expect(requests.at(-1)?.prompt).toContain('```\nso far\n```||||security');
  });

  test('nor where the program itself names none, unless it names a shell, which runs commands as well', async () => {
    const request = { type: 'script', target: 'lint' };
    const { result, commands } = requesting(request, loop({ script: false }));
    expect((await result).notes.warnings).toEqual([
      'evaluation_request: scripts are not allowed here; what is declared was run',
    ]);
    expect(commands).toEqual([]);
    const shell = loop({ script: false, tools: '<tools>shell</tools>' });
    const asked = requesting(request, shell, { tools: [bindTool('shell', async () => '')] });
    expect((await asked.result).notes.warnings).toEqual([]);
    expect(asked.commands.map(({ command }) => command)).toEqual(['lint it']);
  });

  describe('an evaluator with a tool', () => {
    const judge = `<task name="reader" subtype="evaluator"><description>Judges the security by reading</description><tools>shell</tools>${verdict}</task>`;
    const request = { type: 'x', criteria: 'the security by reading' };
    const more = { library: libraryOf(judge), tools: [bindTool('shell', async () => '')] };

    test('does not judge where the program does not name that tool', async () => {
      const { result, requests } = requesting(request, loop(), more);
      expect((await result).notes.warnings).toEqual([
        'evaluation_request: the tool shell of reader is not allowed here (allowed: none); what is declared was run',
      ]);
      expect(requests.map(({ task }) => task)).toEqual(['d', 'e']);
    });
  });

  test('a long target, or criteria, do not stand whole in a warning', async () => {
    const long = 'x'.repeat(100_000);
    for (const request of [
      { type: 'script', target: long },
      { type: 'x', criteria: long },
      { type: 'x', criteria: 'zzz', target: { [long]: 1 } },
    ]) {
      const { result } = requesting(request);
      const { warnings } = (await result).notes;
      expect(warnings).toHaveLength(1);
      expect(warnings[0]!.length).toBeLessThan(500);
    }
  });

  test.each<[string, Json]>([
    ['nothing fits', { type: 'x', criteria: 'zzz' }],
    ['malformed', 7],
    ['a script that is not there', { type: 'script', target: 'lnt' }],
    ['a script, and criteria that nothing fits', { type: 'script', target: 'lint', criteria: 'zzz' }],
  ])(
    'where no evaluator is declared and none is found it fails, never succeeds: %s',
    async (_name, request) => {
      const { result } = requesting(request, loop({ evaluator: false }));
      expect((await failed(result)).detail).toMatchObject({ code: 'TASK_FAILURE', reason: 'failed' });
    },
  );

  describe('where no evaluator is declared a script judges alone', () => {
    const request = { type: 'script', target: 'lint' };
    test('by its exit: a success', async () => {
      const { result, requests, commands } = requesting(request, loop({ evaluator: false }));
      expect(await result).toMatchObject({
        status: 'COMPLETE',
        content: 'so far',
        notes: { rounds: 1, evaluation: { success: true, feedback: null }, script: { exit_code: 0 } },
      });
      expect(commands.map(({ command }) => command)).toEqual(['lint it']);
      expect(requests.map(({ task }) => task)).toEqual(['d']);
    });

    test('or its failure', async () => {
      const script = async () => ({ ...passes, exit_code: 3, stderr: 'line 7' });
      const { result } = requesting(request, loop({ evaluator: false }), { script });
      const error = await failed(result);
      expect(error.detail).toEqual({ code: 'TASK_FAILURE', reason: 'rejected' });
      expect(error.message).toContain('The script ended with exit code 3.\nall ok\nline 7');
    });
  });

  test('an evaluator that was chosen sees the outputs of the round, and is named', async () => {
    const { result, requests } = requesting({ type: 'script', target: 'lint', criteria: 'security' });
    const { evaluation } = (await result).notes;
    expect(evaluation).toEqual({
      success: true,
      feedback: null,
      template: { name: 'security', digest: expect.stringMatching(/^[0-9a-f]{16}$/) },
    });
    expect(requests[1]?.prompt).toContain(
      '> ## d\n> so far\n> \n> ## lint\n> ran lint it\n> Outputs: {"stderr":"","exit_code":0}\n\n',
    );
  });

  test('nor does it lose those before the loop; what is declared sees no outputs of the round', async () => {
    const around = (inner: string) =>
      `<task type="sequential"><inputs><input name="goal"/></inputs><context_management><accumulate_data>true</accumulate_data></context_management><steps><task name="first"><description>x</description></task>${inner.replace('<inputs><input name="goal"/></inputs>', '')}</steps></task>`;
    for (const [criteria, judge, seen] of [
      ['security', 'security', '> ## first\n> FIRST\n> \n> ## d\n> so far\n> \n> ## t\n'],
      ['', 'e', '> ## first\n> FIRST\n\n'],
    ] as const) {
      const { result, requests } = directing(around(loop()), task =>
        task === 'first'
          ? 'FIRST'
          : task === 'd'
            ? asks({ evaluation_request: { type: 'x', criteria } })
            : good,
      );
      await result;
      expect(requests.find(({ task }) => task === judge)?.prompt).toContain(seen);
    }
  });

  test('the matching task of the library chooses, and counts', async () => {
    const matching =
      '<task name="matching" subtype="matching"><inputs><input name="request"/><input name="tasks"/></inputs><description>{{request}} {{tasks}}</description><output name="matches" type="json"/></task>';
    const judge = `<task name="other" subtype="evaluator"><description>Judges otherwise</description>${verdict}</task>`;
    const { result, requests } = directing(
      loop(),
      task =>
        task === 'd'
          ? asks({ evaluation_request: { type: 'x', criteria: 'security' } })
          : task === 'matching'
            ? '{"matches": [{"name": "other", "score": 0.9}]}'
            : good,
      { library: libraryOf(matching, judge) },
    );
    expect((await result).notes).toMatchObject({ dataUsage: { cost_usd: 0.75, turns: 3 } });
    expect(requests.map(({ task, key }) => [task, key])).toEqual([
      ['d', 'k/director-1'],
      ['matching', 'k/evaluation-1/matching'],
      ['other', 'k/evaluator-1'],
    ]);
  });

  test('only the round that asks is judged otherwise', async () => {
    const { result, requests } = directing(loop(), (task, n) => {
      if (task !== 'd') return n === 0 ? bad(`${task} says no`) : good;
      return n === 0 ? asks({ evaluation_request: { type: 'x', criteria: 'security' } }) : 'done';
    });
    expect(await result).toMatchObject({ content: 'done', notes: { rounds: 3 } });
    expect(requests.map(({ task }) => task)).toEqual(['d', 'security', 'd', 'e', 'd', 'e']);
    expect(requests.filter(({ task }) => task === 'd').map(({ prompt }) => prompt)).toEqual([
      'G||',
      'G|security says no|false',
      'G|e says no|false',
    ]);
  });
});

describe('a subtask', () => {
  const wanted = { description: 'summarise the changelog', inputs: { log: { v: 1 } } };
  const subtask =
    (request: Json, count = 1) =>
    (task: string, n: number) =>
      task === 'd'
        ? n < count
          ? asks({ subtask_request: request })
          : 'done'
        : task === 'e'
          ? n < count
            ? bad('not yet')
            : good
          : 'the summary';
  /** The director's input after a round that asked for a subtask. */
  const toldAfter = (words: string) => `G|not yet\n\nWhat came of the subtask:\n${words}|false`;

  test('is found, run as a child, and its result given back', async () => {
    const { result, requests, commands } = directing(loop(), subtask(wanted));
    expect(await result).toMatchObject({
      content: 'done',
      notes: { dataUsage: { cost_usd: 1.25, turns: 5 }, rounds: 2 },
    });
    // Judged all the same.
    expect(commands).toHaveLength(2);
    expect(requests.map(({ task, key }) => [task, key])).toEqual([
      ['d', 'k/director-1'],
      ['e', 'k/evaluator-1'],
      ['summarise', 'k/subtask-1'],
      ['d', 'k/director-2'],
      ['e', 'k/evaluator-2'],
    ]);
    // Its own inputs, and for those that are missing the bindings of the same name.
    expect(requests[2]?.prompt).toContain('{"v":1} for G');
    expect(requests[3]?.prompt).toBe(toldAfter('the summary'));
  });

  test('its result is read once', async () => {
    const { result, requests } = directing(loop(), (task, n) => {
      if (task === 'summarise') return 'the summary';
      if (task === 'e') return n < 2 ? bad('not yet') : good;
      return n === 0 ? asks({ subtask_request: wanted }) : 'done';
    });
    await result;
    expect(requests.filter(({ task }) => task === 'd').map(({ prompt }) => prompt)).toEqual([
      'G||',
      toldAfter('the summary'),
      'G|not yet|false',
    ]);
  });

  test('is not run where the round is a success without it', async () => {
    const { result, requests } = directing(loop({ rounds: 1 }), task =>
      task === 'd' ? asks({ subtask_request: wanted }) : good,
    );
    expect(await result).toMatchObject({
      status: 'COMPLETE',
      notes: { rounds: 1, warnings: ['subtask_request: it was not run: the round was a success without it'] },
    });
    expect(requests.map(({ task }) => task)).toEqual(['d', 'e']);
  });

  test('is not run in the last round; the error has the last feedback', async () => {
    const { result, requests } = directing(loop({ rounds: 6 }), (task, n) =>
      task === 'd' ? asks({ subtask_request: wanted }) : task === 'e' ? bad(`no ${n}`) : 'the summary',
    );
    const error = await failed(result);
    expect(error.detail).toEqual({ code: 'TASK_FAILURE', reason: 'rejected' });
    expect(error.message).toBe('rejected in all 6 rounds: no 5');
    expect(error.notes).toMatchObject({
      rounds: 6,
      warnings: ['subtask_request: it was not run: no round is left that could read its result'],
      dataUsage: { turns: 15, cost_usd: 3.75 },
    });
    const count = (name: string) => requests.filter(({ task }) => task === name).length;
    expect([count('d'), count('e'), count('summarise')]).toEqual([6, 6, 3]);
  });

  test('where nothing judges the director is told of the subtask alone, and so is the error', async () => {
    const { result, requests } = directing(loop({ rounds: 2, script: false, evaluator: false }), (task, n) =>
      task === 'd' ? asks({ subtask_request: wanted }) : `summary ${n}`,
    );
    const error = await failed(result);
    expect(error.message).toBe(
      'rejected in all 2 rounds: subtask_request: it was not run: no round is left that could read its result',
    );
    expect(error.notes).toMatchObject({ rounds: 0, dataUsage: { turns: 3 } });
    expect(requests.map(({ task, prompt }) => [task, prompt]).at(-1)).toEqual(['d', 'G|summary 0|true']);
  });

  const told = async (request: Json, source = loop(), more: Partial<EvaluateOptions> = {}) => {
    const { result, requests } = directing(source, subtask(request), more);
    await result;
    return requests.filter(({ task }) => task === 'd')[1]?.prompt ?? '';
  };

  test.each<[string, Json, RegExp]>([
    [
      'nothing fits',
      { description: 'paint a fence' },
      /\nNo task of the library fits "paint a fence" \(nearest: lint, audit, summarise, dig\)\.\|false$/,
    ],
    [
      'a word in seven',
      { description: 'paint the green garden fence behind that house, as the changelog' },
      /No task of the library fits .* \(nearest: summarise\)\.\|false$/,
    ],
    ['a function', { description: 'count whales' }, /No task of the library fits/],
    ['an evaluator', { description: 'judge security' }, /No task of the library fits/],
    [
      'a missing input',
      { description: 'audit the ledger' },
      /The task "audit" fits, but needs the inputs: ledger\./,
    ],
    [
      'a tool that the program does not have',
      { description: 'dig in the files' },
      /The task "dig" fits, but the tool shell of dig is not allowed here \(allowed: none\)\./,
    ],
    ['no description', { inputs: {} }, /The subtask_request is malformed/],
    ['no object', 'summarise', /The subtask_request is malformed/],
    ['inputs that are a list', { description: 'summarise', inputs: [1] }, /The subtask_request is malformed/],
  ])('told instead: %s', async (_name, request, words) => {
    expect(await told(request)).toMatch(words);
  });

  test('a tool that the program has is one that its subtasks may have', async () => {
    const source = loop({ tools: '<tools>shell</tools>' });
    const shell = bindTool('shell', async () => '');
    expect(await told({ description: 'dig in the files' }, source, { tools: [shell] })).toBe(
      toldAfter('the summary'),
    );
  });

  test('no script where the program has none', async () => {
    expect(
      await told({ description: 'run the linter', inputs: { target_content: '' } }, loop({ script: false })),
    ).toContain('The task "lint" fits, but the script lint may not run');
  });

  test.each<[string, Parameters<typeof outcome>[1] & { text: string }, string]>([
    [
      'it ends as failed',
      { text: '{"status": "FAILED", "content": "no log"}' },
      'The subtask "summarise" ended as failed: no log',
    ],
    [
      'its session fails',
      { text: 'x', stop: 'refusal' },
      'The subtask "summarise" failed (TASK_FAILURE): the model refused to answer',
    ],
  ])('a failed one is feedback: %s', async (_name, reply, words) => {
    const { result, requests } = directing(loop(), (task, n) =>
      task === 'summarise' ? reply : subtask(wanted)(task, n),
    );
    expect((await result).notes.dataUsage.cost_usd).toBe(1.25);
    expect(requests[3]?.prompt).toBe(toldAfter(words));
  });

  test('a fourth is not run', async () => {
    const { result, requests } = directing(loop(), subtask(wanted, 4));
    await result;
    expect(requests.filter(({ task }) => task === 'summarise')).toHaveLength(3);
    const prompts = requests.filter(({ task }) => task === 'd').map(({ prompt }) => prompt);
    expect(prompts[4]).toBe(toldAfter('No more subtasks are possible: 3 were run.'));
  });

  test('one that asks for itself ends', async () => {
    const self = `<task type="director-evaluator" name="again"><description>Does it again</description>
      <director><task name="inner"><description>{{last_evaluator_output}}</description></task></director><max_rounds>2</max_rounds></task>`;
    const { result, requests } = directing(
      loop(),
      (task, n, { prompt }) =>
        task === 'e'
          ? n === 0
            ? bad('not yet')
            : good
          : task === 'd'
            ? n === 0
              ? asks({ subtask_request: { description: 'does it again' } })
              : 'done'
            : prompt === ''
              ? asks({ subtask_request: { description: 'does it again' } })
              : prompt,
      { library: libraryOf(self) },
    );
    await result;
    expect(requests.filter(({ task }) => task === 'd')[1]?.prompt).toBe(
      toldAfter('No subtask is possible here: this is a subtask within 3 others.'),
    );
    expect(requests.filter(({ task }) => task === 'inner')).toHaveLength(6);
  });
});

test('over ten rounds of requests the context of a director does not grow', async () => {
  const { result, requests } = directing(loop({ rounds: 10 }), (task, n) => {
    if (task === 'summarise') return 's'.repeat(300);
    if (task === 'd' && n < 3)
      return asks({ subtask_request: { description: 'summarise', inputs: { log: 'x' } } }, 'w'.repeat(5_000));
    if (task === 'd')
      return asks({ evaluation_request: { type: 'x', criteria: 'security' } }, 'w'.repeat(5_000));
    return n === 6 ? good : bad('f'.repeat(300));
  });
  expect((await result).notes.rounds).toBe(10);
  const sizes = requests
    .filter(({ task }) => task === 'd')
    .map(
      ({ system, prompt, history }) =>
        estimateTokens(`${system.stable}${system.changing}${prompt}`) + (history?.length ?? 0),
    );
  expect(sizes).toHaveLength(10);
  const spread = (of: number[]) => Math.max(...of) - Math.min(...of);
  // The feedback has two parts after a round with a subtask, otherwise one; neither grows.
  expect(spread(sizes.slice(1, 4))).toBe(0);
  expect(spread(sizes.slice(4))).toBe(0);
  expect(Math.max(...sizes)).toBeLessThan(200);
});
