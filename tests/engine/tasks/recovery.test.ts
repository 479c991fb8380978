// Another way for a task that failed: when it is asked for, what it may be, and what is kept of the attempts.
import { describe, expect, test } from 'vitest';
import { type Spent, TaskError } from '../../../src/engine/language/result.ts';
import { bindTool } from '../../../src/engine/language/tool.ts';
import type { EvaluateOptions } from '../../../src/engine/tasks/evaluate.ts';
import { libraryOf } from './memory/memory-of.ts';
import { evaluating, failed, outcome } from './surroundings.ts';

const reparse = `<task name="reparse" subtype="reparse"><inputs><input name="failed_task"/><input name="problems"/></inputs>
  <description>{{failed_task}}
problems:{{problems}}</description></task>`;

const library = libraryOf(reparse);
const spent: Spent = {
  cost_usd: 1,
  turns: 4,
  usage: { input_tokens: 1, output_tokens: 1, cache_read_tokens: 0, cache_write_tokens: 0 },
};
const exhausted = (resource: 'turns' | 'context' | 'output' | 'time' = 'context') =>
  new TaskError(
    { code: 'RESOURCE_EXHAUSTION', resource, used: 9, limit: 8, peak: 9 },
    `no ${resource} left`,
    {
      notes: { dataUsage: spent },
    },
  );
const failure = (reason: 'no_progress' | 'model_failure' | 'tool_failed') =>
  new TaskError({ code: 'TASK_FAILURE', reason }, reason, { notes: { dataUsage: spent } });

const program = (more = '') =>
  `<task type="sequential"><inputs><input name="text"/></inputs><steps>
     <task name="first"><description>first</description></task>
     <task name="big"><inputs><input name="own" from="text"/></inputs><description>sum up {{own}} {{first}}</description>${more}</task>
     <task name="last"><description>got {{big}}</description></task>
   </steps></task>`;
const inputs = { text: 'T'.repeat(400) };

/** In the place of `big`. */
const halves = `<task type="sequential"><inputs><input name="own"/></inputs><steps>
  <task name="half"><description>half of {{own}}</description></task>
  <task name="whole"><description>join {{half}}</description></task></steps></task>`;

/** `big` ends with `error`, `reparse` answers in turn, everything else its own name. */
function recovering(
  error: Error | string,
  answers: (string | Error)[],
  { source = program(), ...more }: Partial<EvaluateOptions> & { source?: string } = {},
) {
  return evaluating(
    source,
    source.includes('name="text"') ? inputs : {},
    (task, n) =>
      task === 'big' ? error : task === 'reparse' ? (answers[n] ?? `unexpected ${n}`) : `<${task}>`,
    { library, ...more },
  );
}

describe('what is tried in another way', () => {
  const json = '<output name="n" type="number"/>';
  test.each([
    ['a window that is full', exhausted('context'), '', halves],
    ['turns that are used up', exhausted('turns'), '', halves],
    ['time that is used up', exhausted('time'), '', halves],
    ['an invalid output', 'no number', json, `<task name="again"><description>x</description>${json}</task>`],
    ['no progress', failure('no_progress'), '', halves],
  ])('%s', async (_name, error, outputs, answer) => {
    const { result, requests, events } = evaluating(
      program(outputs),
      inputs,
      task => (task === 'big' ? error : task === 'reparse' ? answer : task === 'again' ? '{"n": 7}' : 'fine'),
      { library },
    );
    expect((await result).status).toBe('COMPLETE');
    expect(events.filter(({ type }) => type === 'recovery')).toMatchObject([{ task: 'big', attempt: 1 }]);
    expect(requests.map(({ task }) => task)).toContain('reparse');
  });

  test.each<[string, TaskError, Partial<EvaluateOptions> & { source?: string }]>([
    ['a failed model', failure('model_failure'), {}],
    ['a failed tool', failure('tool_failed'), {}],
    ['a library without reparse', exhausted(), { library: libraryOf() }],
    ['disable_reparsing', exhausted(), { source: program('<disable_reparsing>true</disable_reparsing>') }],
    [
      'manual_xml of a task around it',
      exhausted(),
      { source: program().replace('<inputs>', '<manual_xml>true</manual_xml><inputs>') },
    ],
    ...['reparse', 'compile', 'matching', 'associative_memory'].map(
      (subtype): [string, TaskError, { source: string }] => [
        `subtype ${subtype}`,
        exhausted(),
        { source: program().replace('name="big"', `name="big" subtype="${subtype}"`) },
      ],
    ),
  ])('not: %s', async (_name, error, more) => {
    const { result, requests, events } = recovering(error, [halves], more);
    expect((await failed(result)).message).toBe(error.message);
    expect(requests.map(({ task }) => task)).toEqual(['first', 'big']);
    expect(events).toEqual([]);
  });

  test('not: what was cancelled', async () => {
    const controller = new AbortController();
    const { result, requests } = evaluating(
      program(),
      inputs,
      task => {
        if (task !== 'big') return 'x';
        controller.abort(new Error('cancelled'));
        return exhausted('time');
      },
      { library, signal: controller.signal },
    );
    expect((await failed(result)).code).toBe('RESOURCE_EXHAUSTION');
    expect(requests.map(({ task }) => task)).not.toContain('reparse');
  });
});

test('what replaces a task stands in its place: its bindings, its name, its key', async () => {
  const { result, requests } = recovering(exhausted(), [
    `Here it is:\n\n\`\`\`xml\n${halves}\n\`\`\`\nThat is all.`,
  ]);
  expect((await result).content).toBe('<last>');
  expect(requests.map(({ task, key }) => [task, key])).toEqual([
    ['first', 'k/step-1'],
    ['big', 'k/step-2'],
    ['reparse', 'k/step-2/recovery-1/reparse-1'],
    ['half', 'k/step-2/recovery-1/step-1'],
    ['whole', 'k/step-2/recovery-1/step-2'],
    ['last', 'k/step-3'],
  ]);
  expect(requests[3]?.prompt).toBe(`half of ${inputs.text}`);
  expect(requests.at(-1)?.prompt).toBe('got <whole>');
});

test('what the reparse task is told: a program that stands alone, the error, how its inputs begin', async () => {
  const { result, requests } = recovering(exhausted(), [halves]);
  await result;
  const [told = '', problems] = requests[2]!.prompt.split('\nproblems:');
  expect(JSON.parse(told)).toEqual({
    program: `<task name="big">
  <description>sum up {{own}} {{first}}</description>
  <inputs>
    <input name="own"/>
    <input name="first"/>
  </inputs>
</task>`,
    inputs: [
      { name: 'own', characters: 400, begins: 'T'.repeat(300) },
      { name: 'first', characters: 7, begins: '<first>' },
    ],
    error: { code: 'RESOURCE_EXHAUSTION', message: 'no context left', detail: exhausted().detail },
    attempts: [],
  });
  expect(problems).toBe('');
});

test('the chain of attempts is kept', async () => {
  const { result } = recovering(exhausted(), ['no program', halves], {
    source: '<task name="big"><description>x</description></task>',
  });
  const error = await failed(result);
  // Without the input of `halves` nothing could be put in its place.
  expect(error.notes.attempts?.map(({ error: { code } }) => code)).toEqual([
    'RESOURCE_EXHAUSTION',
    'VALIDATION_ERROR',
    'VALIDATION_ERROR',
  ]);
  expect(error.notes.attempts?.[2]).toEqual({
    program: halves,
    error: { code: 'VALIDATION_ERROR', message: 'alternative.xml:1:1 nothing binds the input "own"' },
  });
});

describe('an answer that cannot be used', () => {
  test('is given its problems once, then mended', async () => {
    const { result, requests } = recovering(exhausted(), ['<task><descripton>x</descripton></task>', halves]);
    const { content } = await result;
    expect(content).toBe('<last>');
    const again = requests.filter(({ task }) => task === 'reparse')[1]!;
    expect(again.key).toBe('k/step-2/recovery-1/reparse-2');
    expect(again.prompt).toContain('problems:alternative.xml:1:');
    expect(again.prompt).toContain('did you mean "description"?');
    expect(again.prompt).toContain('<descripton>');
  });

  test('at the second time the first error stands, with the attempts', async () => {
    const { result, requests } = recovering(exhausted(), ['<task>', '<task type="x"/>', halves]);
    const error = await failed(result);
    expect(error.detail).toEqual(exhausted().detail);
    expect(error.notes.attempts).toHaveLength(3);
    expect(error.notes.warnings).toEqual([
      expect.stringMatching(/^big was not tried in another way: no answer .*unknown task type "x"/),
    ]);
    expect(error.notes.dataUsage.cost_usd).toBe(1 + 3 * 0.25);
    expect(requests.filter(({ task }) => task === 'reparse')).toHaveLength(2);
  });

  test.each([
    ['a script', '<task type="script"><command>id</command></task>', 'the script script may not run'],
    [
      'a tool',
      '<task><description>x</description><tools>shell, js</tools></task>',
      'the tool shell of standard',
    ],
    [
      'a tool deep inside',
      '<task type="let"><bind name="a"><task type="map"><over>[1]</over><inner_task><task name="in"><description>x</description><tools>shell</tools></task></inner_task></task></bind><body><task><description>{{a}}</description></task></body></task>',
      'the tool shell of in is not allowed here (allowed: read_file)',
    ],
    [
      'a tool in a function of the library',
      '<task type="call" ref="helper"/>',
      'the tool shell of standard is not allowed here (allowed: read_file)',
    ],
    [
      'a tool behind a ref',
      '<task ref="worker"/>',
      'the tool shell of worker is not allowed here (allowed: read_file)',
    ],
    [
      'a director, which can ask for scripts',
      '<task type="director-evaluator"><director><task><description>x</description></task></director></task>',
      'a director-evaluator may stand only for a task that has the tool shell',
    ],
    [
      'a function',
      '<task type="function" name="f"><body><task><description>x</description></task></body></task>',
      'a function does not run by itself',
    ],
    [
      'an unknown name',
      '<task><inputs><input name="frst"/></inputs><description>{{frst}}</description></task>',
      'nothing binds the input "frst"; did you mean "first"?',
    ],
    [
      'an unknown model',
      '<task><description>x</description><model>dear</model></task>',
      'the model of standard',
    ],
    ['a missing output', '<task><description>x</description></task>', undefined],
  ])('may not have: %s', async (_name, answer, words) => {
    const outputs = words === undefined ? '<output name="n" type="number"/>' : '';
    const tools = (['read_file', 'shell', 'js'] as const).map(name => bindTool(name, async () => ''));
    const { result } = recovering(words === undefined ? 'no number' : exhausted(), [answer, answer], {
      source: program(`<tools>read_file</tools>${outputs}`),
      tools,
      script: async () => ({ exit_code: 0, stdout: '', stderr: '', timed_out: false }),
      models: name => {
        if (name === 'dear') throw new RangeError('unknown model "dear"');
        return 'm';
      },
      library: libraryOf(
        reparse,
        '<task type="function" name="helper"><body><task><description>x</description><tools>shell</tools></task></body></task>',
        '<task name="worker"><description>x</description><tools>shell</tools></task>',
      ),
    });
    const error = await failed(result);
    expect(error.notes.attempts?.[1]?.error.message).toContain(
      words ?? 'the program does not always give the output "n" (number), which big declares',
    );
  });

  test('what the task itself may do, another way may do', async () => {
    const answer = `<task type="sequential"><steps><task type="script" name="s"><command>id</command></task>
      <task><description>{{s}}</description><tools>shell</tools></task></steps></task>`;
    const { result, requests } = recovering(exhausted(), [answer], {
      source: program('<tools>shell</tools>'),
      tools: [bindTool('shell', async () => '')],
      script: async () => ({ exit_code: 0, stdout: 'me', stderr: '', timed_out: false }),
    });
    expect((await result).status).toBe('COMPLETE');
    expect(requests.find(({ task }) => task === 'standard')?.prompt).toBe('me');
  });
});

test.each([
  ['every branch', '<task type="cond"><case test="true">OUT</case><else>OUT</else></task>', true],
  ['no else', '<task type="cond"><case test="true">OUT</case></task>', false],
  ['one branch of two', '<task type="cond"><case test="true">OUT</case><else>NONE</else></task>', false],
  ['the body of a let', '<task type="let"><bind name="b">x</bind><body>OUT</body></task>', true],
  ['the last step', '<task type="sequential"><steps>NONE OUT</steps></task>', true],
  [
    'another type',
    'OUT'.replace('OUT', '<task><description>x</description><output name="n" type="string"/></task>'),
    false,
  ],
  [
    'null',
    '<task><description>x</description><output name="n" type="number" nullable="true"/></task>',
    false,
  ],
  [
    'a function',
    '<task type="sequential"><steps><task type="function" name="f"><body>OUT</body></task><task type="call" ref="f"/></steps></task>',
    true,
  ],
])('declared outputs are given: %s', async (_name, answer, fits) => {
  const out = '<task name="again"><description>x</description><output name="n" type="number"/></task>';
  const none = '<task name="none"><description>x</description></task>';
  const { result } = evaluating(
    program('<output name="n" type="number"/>'),
    inputs,
    task =>
      task === 'big'
        ? 'x'
        : task === 'reparse'
          ? answer.replaceAll('OUT', out).replaceAll('NONE', none)
          : task === 'again'
            ? '{"n": 7}'
            : 'fine',
    { library },
  );
  if (fits) expect((await result).notes.steps?.[1]?.result.outputs).toEqual({ n: 7 });
  else expect((await failed(result)).code).toBe('INVALID_OUTPUT');
});

describe('a reparse task that fails leaves the error as it was', () => {
  test.each([
    ['the model fails', failure('model_failure')],
    ['it says that there is no other way', '<result status="FAILED"><content>hopeless</content></result>'],
  ])('%s', async (_name, answer) => {
    const { result } = recovering(exhausted(), [answer]);
    const error = await failed(result);
    expect(error.detail).toEqual(exhausted().detail);
    expect(error.notes.warnings).toEqual([expect.stringContaining('big was not tried in another way: ')]);
    expect(error.notes.attempts).toHaveLength(1);
  });

  test('a template with errors', async () => {
    const broken = libraryOf('<task name="reparse"><descripton>x</descripton></task>');
    const { result } = recovering(exhausted(), [], { library: broken });
    const error = await failed(result);
    expect(error.code).toBe('RESOURCE_EXHAUSTION');
    expect(error.notes.warnings[0]).toContain('t0.xml:1:22 <descripton> is not allowed');
  });
});

describe('recovery within recovery', () => {
  /** Each answer is one task that fails as well. */
  const failing = (source: string) =>
    evaluating(
      source,
      {},
      (task, n) =>
        task === 'reparse' ? `<task name="way-${n + 1}"><description>x</description></task>` : exhausted(),
      { library },
    );

  test('ends at the third, and the error has the whole chain', async () => {
    const { result, requests, events } = failing('<task name="big"><description>x</description></task>');
    const error = await failed(result);
    expect(requests.map(({ task }) => task)).toEqual([
      'big',
      'reparse',
      'way-1',
      'reparse',
      'way-2',
      'reparse',
      'way-3',
    ]);
    expect(error.notes.attempts?.map(each => /name="(.*?)"/.exec(each.program)?.[1])).toEqual([
      'big',
      'way-1',
      'way-2',
      'way-3',
    ]);
    expect(events.map(event => 'attempt' in event && event.attempt)).toEqual([1, 2, 3]);
    expect([error.notes.dataUsage.cost_usd, error.notes.dataUsage.turns]).toEqual([4 + 3 * 0.25, 16 + 3]);
  });

  test('is told what was tried before', async () => {
    const { result, requests } = failing('<task name="big"><description>x</description></task>');
    await failed(result);
    const told = requests
      .filter(({ task }) => task === 'reparse')
      .map(({ prompt }) => prompt.split('\n')[0]!);
    expect(told.map(each => (JSON.parse(each) as { attempts: unknown[] }).attempts.length)).toEqual([
      0, 1, 2,
    ]);
  });

  test('a success keeps the failures before it', async () => {
    const { result } = evaluating(
      '<task name="big"><description>x</description></task>',
      {},
      (task, n) =>
        task === 'reparse'
          ? `<task name="way-${n + 1}"><description>x</description></task>`
          : task === 'way-2'
            ? outcome('done')
            : exhausted(),
      { library },
    );
    const { content, notes } = await result;
    expect(content).toBe('done');
    expect(notes.attempts?.map(each => each.error.code)).toEqual([
      'RESOURCE_EXHAUSTION',
      'RESOURCE_EXHAUSTION',
    ]);
    expect(notes.dataUsage.cost_usd).toBe(2 + 3 * 0.25);
  });
});

describe('another way has no more than the task had', () => {
  const again = (more: string, name = 'again') =>
    `<task name="${name}"><description>x</description>${more}</task>`;
  const context = { text: 'SECRET', matches: [] };
  const inherits = (how: string) =>
    `<context_management><inherit_context>${how}</inherit_context></context_management>`;
  const models = (name: string | undefined, task: string) => name ?? (task === 'rich' ? 'dear' : 'plain');

  test.each([
    [
      'a context that it did not inherit',
      inherits('none'),
      again(inherits('full')),
      /may not inherit the context as "full": big has "none"/,
    ],
    [
      'the whole of a context that it saw in part',
      inherits('subset'),
      again(inherits('full')),
      /may not inherit the context as "full": big has "subset"/,
    ],
    [
      'a model',
      '',
      again('<model>dear</model>'),
      /the model of again: dear is not allowed here; leave <model> out/,
    ],
    [
      'another model',
      '<model>small</model>',
      again('<model>dear</model>'),
      /leave <model> out, or name small/,
    ],
    [
      'the name of a task with a model of its own',
      '',
      again('', 'rich'),
      /the name rich has a model of its own/,
    ],
    [
      'more turns',
      '<limits><turns>2</turns></limits>',
      again('<limits><turns>30</turns></limits>'),
      /<turns> of again is 30; at most 10 is allowed here/,
    ],
    [
      'the turns of a director',
      '',
      again('').replace('<task', '<task subtype="director"'),
      /<turns> of again is 30; at most 10/,
    ],
    [
      'more output',
      '<limits><output_tokens>20000</output_tokens></limits>',
      again('<limits><output_tokens>30000</output_tokens></limits>'),
      /<output_tokens> of again is 30000; at most 20000/,
    ],
    [
      'more time',
      '',
      again('<limits><time_s>86400</time_s></limits>'),
      /<time_s> of again is 86400; at most 300/,
    ],
    [
      'all that in a function of the library',
      '',
      '<task type="call" ref="long"/>',
      /<time_s> of standard is 900; at most 300/,
    ],
  ])('not: %s', async (_name, own, answer, words) => {
    const { result, requests } = recovering(exhausted(), [answer, answer], {
      source: program(own),
      context,
      models,
      library: libraryOf(
        reparse,
        '<task type="function" name="long"><body><task><description>x</description><limits><time_s>900</time_s></limits></task></body></task>',
      ),
    });
    const error = await failed(result);
    expect(error.notes.attempts?.[1]?.error.message).toMatch(words);
    expect(requests.map(({ task }) => task)).toEqual(['first', 'big', 'reparse', 'reparse']);
  });

  test.each([
    ['its own model', '<model>small</model>', again('<model>small</model>')],
    [
      'its own limits',
      '<limits><turns>20</turns><time_s>900</time_s></limits>',
      again('<limits><turns>20</turns><time_s>900</time_s></limits>'),
    ],
    ['what holds where a task has no limits', '<limits><turns>2</turns></limits>', again('')],
    ['less context', '', again(inherits('none'))],
  ])('but: %s', async (_name, own, answer) => {
    const { result } = recovering(exhausted(), [answer], { source: program(own), context, models });
    expect((await result).content).toBe('<last>');
  });

  test.each([
    ['none', inherits('none'), false],
    ['a cleared one', '<context_management><clear_memory>true</clear_memory></context_management>', false],
    ['the whole', '', true],
  ])('the context: %s', async (_name, own, seen) => {
    const { result, requests } = recovering(exhausted(), [again('')], { source: program(own), context });
    await result;
    expect(requests.find(({ task }) => task === 'again')?.prompt.includes('SECRET')).toBe(seen);
  });
});

describe('the sessions of one recovery', () => {
  const list = (n: number) =>
    `<task type="map"><over>${JSON.stringify(Array.from({ length: n }, (_, at) => at))}</over><parallel>1</parallel>
      <inner_task><task name="part"><description>{{item}}</description></task></inner_task></task>`;

  test('are at most 50, the reparse task among them', async () => {
    const { result, requests } = recovering(exhausted(), [list(60)]);
    const error = await failed(result);
    expect(error.detail).toMatchObject({ code: 'TASK_FAILURE', reason: 'too_many_sessions' });
    expect(error.message).toContain(
      'part was not begun: what was tried in the place of a failed task has had 50 sessions',
    );
    expect(requests.filter(({ task }) => task === 'part')).toHaveLength(49);
    expect(error.notes.dataUsage.cost_usd).toBe(1 + 0.25 * 51);
  });

  test('are counted over recoveries within it', async () => {
    const { result, requests } = evaluating(
      '<task name="big"><description>x</description></task>',
      {},
      (task, n) =>
        task === 'big' || task === 'way'
          ? exhausted()
          : task === 'reparse'
            ? (['<task name="way"><description>x</description></task>', list(60)][n] ?? 'none')
            : 'fine',
      { library },
    );
    expect((await failed(result)).detail).toMatchObject({ reason: 'too_many_sessions' });
    // Two of reparse, one of the first way.
    expect(requests.filter(({ task }) => task === 'part')).toHaveLength(47);
  });

  test('each recovery has its own', async () => {
    const { result, requests } = evaluating(
      `<task type="sequential"><steps><task name="big"><description>x</description></task>
        <task name="big-2"><description>x</description></task></steps></task>`,
      {},
      task => (task.startsWith('big') ? exhausted() : task === 'reparse' ? list(40) : 'fine'),
      { library },
    );
    expect((await result).status).toBe('COMPLETE');
    expect(requests.filter(({ task }) => task === 'part')).toHaveLength(80);
  });
});

describe('what another way ends with is a result of the task', () => {
  const ended = (own: string, answer: string) =>
    evaluating(
      program(own),
      inputs,
      task =>
        task === 'big'
          ? exhausted()
          : task === 'reparse'
            ? answer
            : task === 'again'
              ? '{"status": "CONTINUATION", "content": "half of it"}'
              : 'fine',
      { library },
    );
  const again = (more = '') => `<task name="again"><description>x</description>${more}</task>`;
  const n = '<output name="n" type="number"/>';

  test('no CONTINUATION where its subtype has none', async () => {
    const source = program().replace('name="big"', 'name="big" subtype="subtask"');
    const { result } = evaluating(
      source,
      inputs,
      task =>
        task === 'big'
          ? exhausted()
          : task === 'reparse'
            ? again()
            : '{"status": "CONTINUATION", "content": "half of it"}',
      { library },
    );
    const error = await failed(result);
    expect(error.detail).toEqual({
      code: 'INVALID_OUTPUT',
      violations: [
        'what was done in the place of big ended as CONTINUATION, which the result of subtype subtask cannot be',
      ],
    });
    expect(error.notes.attempts).toHaveLength(2);
    // first, big, reparse, what took its place.
    expect(error.notes.dataUsage.cost_usd).toBe(1 + 3 * 0.25);
  });

  test('none without the declared outputs', async () => {
    const { result } = ended(n, again(n));
    expect((await failed(result)).detail).toEqual({
      code: 'INVALID_OUTPUT',
      violations: ['what was done in the place of big ended without output "n", which it declares'],
    });
  });
});

test('the reason of a reparse task that gives up is told in bounded words', async () => {
  const { result } = recovering(exhausted(), [
    JSON.stringify({ status: 'FAILED', content: 'x'.repeat(100_000) }),
  ]);
  const { warnings } = (await failed(result)).notes;
  expect(warnings[0]!.length).toBeLessThan(600);
});
