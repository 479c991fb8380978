// Candidates of a task: which of them is taken and why, what all of them cost, and what none of them may do.
import { describe, expect, test } from 'vitest';
import { createLibrary } from '../../../src/engine/language/library.ts';
import { bindTool } from '../../../src/engine/language/tool.ts';
import { formatProblem } from '../../../src/engine/language/problem.ts';
import { parseProgram } from '../../../src/engine/language/program.ts';
import { nothingSpent, TaskError } from '../../../src/engine/language/result.ts';
import type { SessionOutcome, SessionRequest } from '../../../src/engine/reasoning/request.ts';
import type { EvaluateOptions } from '../../../src/engine/tasks/evaluate.ts';
import type { Entry } from '../../../packages/ground/journal/journal.ts';
import { over } from '../../ground/journal/in-memory.ts';
import { evaluating, failed, outcome } from './surroundings.ts';

type Answer = string | Partial<SessionOutcome> | Error;

const candidatesIn = (parts: string, n: number) => `<candidates n="${n}">${parts}</candidates>`;
const asking = (parts: string, n = 3, more = '') =>
  `<task name="it"><description>x</description>${more}${candidatesIn(parts, n)}</task>`;

const numberOf = ({ key }: SessionRequest) => Number(/candidate-(\d+)/.exec(key)?.[1]);

/** Tries answer by their number, other tasks by their name; each session costs $0.25. */
function trying(
  source: string,
  answers: readonly Answer[],
  others: Record<string, Answer> = {},
  more: Partial<EvaluateOptions> = {},
) {
  return evaluating(
    source,
    {},
    (task, _n, request) => others[task] ?? answers[numberOf(request) - 1] ?? new Error(`nothing for ${task}`),
    more,
  );
}

const error = (message: string) =>
  new TaskError({ code: 'TASK_FAILURE', reason: 'no_progress' }, message, {
    notes: { dataUsage: { ...nothingSpent, cost_usd: 0.5, turns: 3 } },
  });
const gaveUp = '{"status": "FAILED", "content": "I cannot"}';
const judge = '<evaluator><task name="judge"><description>Which?</description></task></evaluator>';
const best = (n: number | string) => JSON.stringify({ best: n, why: 'Plainer.' });
const check = (exits: Record<string, number>): Partial<EvaluateOptions> => ({
  script: async ({ stdin = '' }) => ({
    ...{ exit_code: exits[stdin] ?? 0, stdout: '', stderr: `checked ${stdin}`, timed_out: false },
  }),
});
const script =
  '<script><task type="script" name="check"><inputs><input name="c" from="candidate" stdin="true"/></inputs><command>check</command></task></script>';

describe('is taken', () => {
  test.each<
    [
      name: string,
      parts: string,
      answers: Answer[],
      others: Record<string, Answer>,
      taken: number,
      why: string,
    ]
  >([
    ['the only one that is left', '', [error('no'), gaveUp, 'c'], {}, 3, 'only'],
    ['the first where all came to the same', '', ['a ', ' a', 'a'], {}, 1, 'alike'],
    ['what most came to', '', ['b', 'long', 'long'], {}, 2, 'agreed'],
    ['the smallest where no two agree', '', ['long', 'longer', 'b'], {}, 3, 'smallest'],
    ['the first of two as small', '', ['long', 'a', 'b'], {}, 2, 'smallest'],
    ['the smallest where two pairs agree', '', ['long', 'b', 'long', 'b'], {}, 2, 'smallest'],
    ['the one that the evaluator names', judge, ['a', 'long', 'long'], { judge: best(1) }, 1, 'ranked'],
    ['without asking it where nothing is to be told', judge, ['a', 'a', error('no')], {}, 1, 'alike'],
    [
      'what most came to, where it finds none better',
      judge,
      ['a', 'long', 'long'],
      { judge: best(0) },
      2,
      'agreed',
    ],
    ['the smallest, where it names none of them', judge, ['long', 'b'], { judge: best(9) }, 2, 'smallest'],
    ['the same, where it fails', judge, ['long', 'b'], { judge: error('no idea') }, 2, 'smallest'],
    ['the same, where it gives up', judge, ['long', 'b'], { judge: gaveUp }, 2, 'smallest'],
    ['what passes the script', script, ['bad', 'long', 'worse'], {}, 2, 'only'],
  ])('%s', async (_name, parts, answers, others, taken, why) => {
    const exits = check({ bad: 1, worse: 2 });
    const { result } = trying(asking(parts, answers.length), answers, others, exits);
    const { notes, content } = await result;
    expect(notes.candidates).toMatchObject({ taken, why, said: why === 'ranked' ? 'Plainer.' : '' });
    expect(notes.candidates?.each).toHaveLength(answers.length);
    expect(content).toBe(answers[taken - 1]);
  });

  test('by its outputs, whatever is said with them', async () => {
    const envelope = (n: number, words: string) => JSON.stringify({ content: words, outputs: { n } });
    const answers = [envelope(1, 'x'), envelope(22, 'because'), envelope(22, 'since')];
    const { result } = trying(asking('', 3, '<output name="n" type="number"/>'), answers);
    expect(await result).toMatchObject({
      outputs: { n: 22 },
      notes: { candidates: { taken: 2, why: 'agreed' } },
    });
  });

  test('with its conversation, and the costs of all, what was lost told as warnings', async () => {
    const { result, events } = trying(asking(judge), ['long', error('stuck'), { text: 'b', cost_usd: 1 }], {
      judge: best(3),
    });
    const { content, notes, messages } = await result;
    expect([content, messages]).toEqual(['b', []]);
    expect(notes).toMatchObject({
      dataUsage: { cost_usd: 2, turns: 6 },
      warnings: ['candidate 2 was lost (TASK_FAILURE): stuck'],
    });
    expect(notes.candidates?.each).toEqual([
      { end: 'COMPLETE', cost_usd: 0.25, turns: 1 },
      { end: 'TASK_FAILURE', cost_usd: 0.5, turns: 3 },
      { end: 'COMPLETE', cost_usd: 1, turns: 1 },
    ]);
    expect(events).toContainEqual({ type: 'note', text: 'it: candidate 3 of 3 was taken (ranked)' });
  });

  test('of a program that is one session, with what it said', async () => {
    const said = (text: string) =>
      outcome(text, { messages: [{ role: 'user', content: [{ type: 'text', text }] }] });
    const { result } = trying(asking('', 2), [said('long'), said('b')]);
    expect((await result).messages[0]?.content).toEqual([{ type: 'text', text: 'b' }]);
  });
});

describe('each try', () => {
  test('has a session of its own, side by side with the others, of the same inputs, evaluated once', async () => {
    const all = Promise.withResolvers<void>();
    let begun = 0;
    const source = asking(
      '',
      3,
      '<inputs><input name="i"><task name="given"><description>y</description></task></input></inputs>',
    ).replace('<description>x', '<description>{{i}}');
    const { result, requests } = evaluating(source, {}, async (task, _n, { prompt }) => {
      if (task === 'given') return 'told';
      if (++begun === 3) all.resolve();
      await all.promise;
      return prompt;
    });
    expect((await result).content).toBe('told');
    expect(requests.map(({ key }) => key)).toEqual([
      'k/input-i',
      'k/candidate-1',
      'k/candidate-2',
      'k/candidate-3',
    ]);
  });

  test('gets the models and temperatures in turn, where a session names none itself', async () => {
    const steps = `<steps><task name="free"><description>x</description></task>
      <task name="own"><description>x</description><model>m</model><temperature>0.1</temperature></task>
      <task type="function" name="f"><body><task name="called"><description>x</description></task></body></task>
      <task type="call" ref="f"/></steps>`;
    const given =
      '<model>a</model><model>b</model><temperature>0</temperature><temperature>1</temperature><temperature>2</temperature>';
    const source = `<task type="sequential" name="it">${steps}${candidatesIn(given + judge, 3)}</task>`;
    const { result, requests } = evaluating(source, {}, (task, _n, { key }) =>
      task === 'judge' ? best(0) : key,
    );
    await result;
    const asked = (name: string) =>
      requests.filter(({ task }) => task === name).map(({ model, temperature }) => [model, temperature]);
    const inTurn = [
      ['a', 0],
      ['b', 1],
      ['a', 2],
    ];
    expect(asked('free')).toEqual(inTurn);
    expect(asked('called')).toEqual(inTurn);
    expect(asked('own')).toEqual(Array(3).fill(['m', 0.1]));
    expect(asked('judge')).toEqual([['default-model', undefined]]);
  });

  test.each<[string, string, string]>([
    [
      'a temperature that its model does not take',
      '<model>warm</model><model>cold</model><temperature>1</temperature>',
      'it asks for a <temperature>, which cold does not take',
    ],
    ['a model that nobody has', '<model>none</model>', 'there is no model none'],
  ])('is refused before any begins for %s', async (_name, parts, why) => {
    const { result, requests } = trying(
      asking(parts, 2),
      ['a', 'b'],
      {},
      {
        takes: model => ({ temperature: model === 'warm', efforts: [] }),
        models: name => {
          if (name === 'none') throw new Error('there is no model none');
          return name ?? 'default-model';
        },
      },
    );
    const { code, message } = await failed(result);
    expect([code, message]).toEqual(['VALIDATION_ERROR', expect.stringContaining(why)]);
    expect(requests).toEqual([]);
  });

  test('counts against the limits around: those that are refused are lost', async () => {
    const steps = '<steps><task name="s"><description>x</description></task></steps>';
    const source = `<task type="sequential" name="it"><limits><turns>2</turns></limits>${steps}${candidatesIn('', 3)}</task>`;
    const { result, requests } = trying(source, ['long', 'b', 'never']);
    const { content, notes } = await result;
    expect(content).toBe('b');
    expect(notes.warnings).toEqual([
      expect.stringMatching(
        /^candidate 3 was lost \(RESOURCE_EXHAUSTION\): the limit of 2 turns is used up by it/,
      ),
    ]);
    expect(requests.length).toBeLessThanOrEqual(3);
  });

  test('ends with the program', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    let begun = 0;
    const { result } = evaluating(
      asking('', 2),
      {},
      async (_task, _n, { signal }) => {
        if (++begun === 2) stop.abort(reason);
        if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve));
        throw signal.reason;
      },
      { signal: stop.signal },
    );
    await expect(result).rejects.toBe(reason);
  });
});

describe('the evaluator', () => {
  test('is shown the task, its criteria and every candidate that is left, by number, each once', async () => {
    const more = '<criteria>Be short.</criteria>';
    const { result, requests } = trying(asking(judge, 4, more), ['one', gaveUp, 'one', 'three ```'], {
      judge: best(4),
    });
    expect((await result).content).toBe('three ```');
    const { prompt } = requests.at(-1)!;
    expect(prompt).toContain('# The task\nx');
    expect(prompt).toContain('# What the result is judged by\nBe short.');
    expect(prompt.replace(/^> ?/gm, '')).toMatch(
      /## Candidate 1\n```\none\n```\n\n## Candidate 4\n````\nthree ```\n````/,
    );
    expect(prompt).not.toContain('Candidate 2');
    expect(prompt).not.toContain('Candidate 3');
  });

  test('that places them is not shown them again, and what it spent counts', async () => {
    const placing = judge.replace('Which?', 'Which? {{candidates}}');
    const { result, requests } = trying(asking(placing, 2), ['one', 'two'], {
      judge: { text: best(2), cost_usd: 3 },
    });
    expect((await result).notes.dataUsage.cost_usd).toBe(3.5);
    expect(requests.at(-1)!.prompt).not.toContain('# The candidates');
  });
});

describe('where all are lost', () => {
  test('the error is that of the one that was judged, with the costs of all and the others as warnings', async () => {
    const { result } = trying(asking(script), [error('stuck'), 'bad', gaveUp], {}, check({ bad: 3 }));
    const lost = await failed(result);
    expect(lost.detail).toMatchObject({ code: 'TASK_FAILURE', reason: 'rejected' });
    expect(lost.message).toBe('the script of the candidates ended with exit code 3: checked bad');
    expect(lost.notes).toMatchObject({
      dataUsage: { cost_usd: 1, turns: 5 },
      candidates: { taken: 0, why: 'none' },
    });
    expect(lost.notes.warnings).toEqual([
      'candidate 1 was lost (TASK_FAILURE): stuck',
      'candidate 3 was lost (TASK_FAILURE): it ended as failed: I cannot',
    ]);
    expect(lost.notes.candidates?.each.map(({ end }) => end)).toEqual(Array(3).fill('TASK_FAILURE'));
  });

  test('else that of one that had finished something, and <on_failure> runs once', async () => {
    const steps =
      '<steps><task name="a"><description>x</description></task><task name="b"><description>x</description></task></steps>';
    const onFailure =
      '<on_failure><task name="instead"><description>{{error.message}}, after {{partial_results[0].content}}</description></task></on_failure>';
    const source = `<task type="sequential" name="it">${steps}${candidatesIn('', 2)}${onFailure}</task>`;
    const { result, requests } = evaluating(source, {}, (task, _n, request) => {
      if (task === 'instead') return 'done instead';
      if (task === 'a') return numberOf(request) === 1 ? error('at once') : 'begun';
      return error('later');
    });
    expect((await result).content).toBe('done instead');
    expect(requests.filter(({ task }) => task === 'instead').map(({ prompt }) => prompt)).toEqual([
      'later, after begun',
    ]);
  });
});

describe('over a journal', () => {
  test('a try that has ended is not run again, nor what was taken chosen anew', async () => {
    const kept: Entry[] = [];
    const gone = new Error('the process is gone');
    const source = `<task type="sequential"><steps>${asking(judge, 2)}<task name="next"><description>{{it}}</description></task></steps></task>`;
    const first = trying(source, ['long', 'b'], { judge: gone }, { step: over(kept).step });
    await expect(first.result).rejects.toBe(gone);
    const second = trying(source, [gone, gone], { judge: best(1), next: gone }, { step: over(kept).step });
    await expect(second.result).rejects.toBe(gone);
    expect(second.requests.map(({ task }) => task)).toEqual(['judge', 'next']);
    const third = trying(source, [gone, gone], { next: 'done' }, { step: over(kept).step });
    const { content, notes } = await third.result;
    expect([content, notes.dataUsage.cost_usd]).toEqual(['done', 1]);
    expect(third.requests.map(({ task, prompt }) => [task, prompt])).toEqual([['next', 'long']]);
  });

  test('what its provider failed does not win later', async () => {
    const kept: Entry[] = [];
    const failure = new TaskError({ code: 'TASK_FAILURE', reason: 'model_failure' }, 'overloaded');
    const source = asking('', 2);
    const first = trying(source, [failure, 'long'], {}, { step: over(kept).step });
    expect((await first.result).content).toBe('long');
    const second = trying(source, ['b', 'long'], {}, { step: over(kept).step });
    expect((await second.result).content).toBe('long');
    expect(second.requests).toEqual([]);
  });

  test('what the candidates had spent counts against the limits around them', async () => {
    const kept: Entry[] = [];
    const source = `<task type="sequential" name="outer"><limits><turns>2</turns></limits><steps>${asking('', 2)}<task name="next"><description>x</description></task></steps></task>`;
    for (let n = 0; n < 2; n++) {
      const { result } = trying(source, ['a', 'b'], { next: 'done' }, { step: over(kept).step });
      expect((await failed(result)).detail).toMatchObject({ resource: 'turns', used: 2, task: 'outer' });
    }
  });
});

describe('one checkout', () => {
  const problemsOf = (source: string) => parseProgram(source, 'x.xml').problems.map(formatProblem);
  const inside = (task: string) =>
    `<task type="sequential" name="it"><steps>${task}</steps>${candidatesIn('', 2)}</task>`;

  test.each<[string, string, string]>([
    [
      'a tool that writes',
      asking('', 2, '<tools>read_file, edit_file</tools>'),
      'edit_file of it would change the one checkout of all candidates',
    ],
    ['commands', asking('', 2, '<tools>shell</tools>'), 'shell of it would change'],
    [
      'such a tool deep in it',
      inside('<task name="w"><description>x</description><tools>write_file</tools></task>'),
      'write_file of w would change',
    ],
    [
      'a script',
      inside('<task type="script" name="s"><command>make</command></task>'),
      'the script s would run in the one checkout',
    ],
  ])('cannot be shared by tries with %s', (_name, source, why) => {
    expect(problemsOf(source).join('\n')).toContain(why);
  });

  test('can be, where they only look, and may be changed by what is no part of a try', () => {
    const input =
      '<inputs><input name="i"><task name="w"><description>x</description><tools>write_file</tools></task></input></inputs>';
    const instead =
      '<on_failure><task name="w2"><description>x</description><tools>shell</tools></task></on_failure>';
    const looks = asking(script, 2, `<tools>read_file, search, js, ask</tools>${input}${instead}`);
    expect(problemsOf(looks)).toEqual([]);
  });

  const called = `<task type="sequential"><steps>
    <task type="function" name="f"><body><task name="w"><description>x</description><tools>write_file</tools></task></body></task>
    <task type="call" name="it" ref="f">${candidatesIn('', 2)}</task></steps></task>`;
  const { library } = createLibrary(
    [
      {
        file: 'g.xml',
        text: '<task type="function" name="g"><body><task type="script" name="s"><command>x</command></task></body></task>',
      },
    ],
    { tools: { names: ['deploy'], servers: [] } },
  );

  test.each<[string, string, string]>([
    [
      'a function of the program',
      called,
      'write_file of w would work in the one checkout of all candidates of it',
    ],
    [
      'a function of the library',
      `<task type="call" name="it" ref="g">${candidatesIn('', 2)}</task>`,
      'the script s would work',
    ],
    ['a tool of somebody else', asking('', 2, '<tools>deploy</tools>'), 'deploy of it would work'],
  ])('cannot be shared by what %s does: nothing is begun', async (_name, source, why) => {
    const tool = (name: string) => ({ ...bindTool('write_file', async () => ''), name });
    const { program, problems } = parseProgram(source, 'x.xml', library);
    expect(problems.map(formatProblem)).toEqual([]);
    const { result, requests } = evaluating(program!, {}, () => 'x', {
      library,
      tools: [tool('write_file'), tool('deploy')],
      script: async () => ({ exit_code: 0, stdout: '', stderr: '', timed_out: false }),
    });
    const { code, message } = await failed(result);
    expect([code, message]).toEqual(['VALIDATION_ERROR', expect.stringContaining(why)]);
    expect(requests).toEqual([]);
  });
});

test.each<[string, string, string]>([
  ['too few', asking('', 1), 'n is a whole number from 2 to 10, not "1"'],
  ['too many', asking('', 11), 'n is a whole number from 2 to 10, not "11"'],
  [
    'no number',
    '<task><description>x</description><candidates/></task>',
    '<candidates> needs the attribute n',
  ],
  [
    'more models than tries',
    asking('<model>a</model><model>b</model><model>c</model>', 2),
    '3 times <model> for 2 candidates',
  ],
  [
    'models that none would have',
    asking('<model>a</model>', 2, '<model>b</model>'),
    'the task names its own',
  ],
  [
    'a verdict of another type',
    asking(
      '<evaluator><task><description>x</description><output name="best" type="string"/></task></evaluator>',
      2,
    ),
    'gives <output name="best" type="number"/>',
  ],
  [
    'a name that the script does not have',
    asking(script.replace('from="candidate"', 'from="candidates"'), 2),
    '"candidates"',
  ],
  [
    'a function',
    `<task type="function" name="f">${candidatesIn('', 2)}<body><task><description>x</description></task></body></task>`,
    '<candidates> belongs to its body',
  ],
])('are refused: %s', (_name, source, why) => {
  expect(parseProgram(source, 'x.xml').problems.map(formatProblem).join('\n')).toContain(why);
});
