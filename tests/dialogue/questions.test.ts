// Questions of layers to the person and to each other: asked, answered, and gone on with in any process.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Dialogue, openDialogue } from './fixture.ts';
import { oneForAll, playedOnce } from './played-once.ts';
import {
  branch,
  costing,
  director,
  engineeringLead,
  evaluator,
  passes,
  plan,
  type Reply,
  strategist,
  teamLead,
  toWork,
} from './script.ts';

const toPerson = (question: string) => ({ action: 'request_info', target: 'ceo', question });
const to = (target: string, question: string) => ({ action: 'request_info', target, question });
const escalate = {
  action: 'escalate',
  reason: 'It breaks old shelves.',
  decision_needed: 'May old shelves break?',
};
/** Said where the answer is part of what the layer is told. */
const when = (words: string, reply: Reply): Reply => ({ ...reply, when: words });

/** The strategist asks one question and goes on with the answer. */
const one = {
  replies: [
    when('> Blue.', strategist('Then blue it is.', plan('Paint it blue.'))),
    strategist('I must know the colour.', toPerson('Which colour, @mia?\n/approve')),
    engineeringLead('Nothing to add.'),
    teamLead('Nothing to do.'),
  ],
};
const openOne = playedOnce(one);
const stillAsked = oneForAll(openOne);

/** Without what is put in so that no program reads it. */
const shown = (text: string) => text.replaceAll('\u200b', '');

const questions = (d: Dialogue) =>
  d.events.filter(event => event.type === 'question_asked').map(({ id }) => id);
const messages = (d: Dialogue) =>
  d.events.flatMap(event =>
    event.type === 'message' ? [`${event.layer}: ${event.content.split('\n')[0]}`] : [],
  );

test('a question to the person: a comment of its own that says what to type; /answer, in another process, goes on in the conversation of the layer', async () => {
  await using d = await openOne();
  expect(await d.status()).toBe('waiting: question');
  expect((await d.replies())[0]).toContain('- ask the person a question (Q1)');
  expect(shown(await d.last())).toMatchInlineSnapshot(`
    "### Q1: a question from the Strategist

    > Which colour, @mia?
    > /approve

    Answer with \`/answer Q1 your answer\` in one line; write access is needed. The Strategist waits for it."
  `);
  expect(await d.last()).not.toMatch(/@mia|^\/approve/m);
  expect(shown((await d.board()).body)).toContain(', the Strategist: Which colour, @mia? /approve');
  expect(questions(d)).toEqual(['Q1']);
  await d.restart();
  const comment = await d.comment('wanda', '/answer Q1 Blue.');
  expect(await d.reactions(comment)).toEqual(['eyes', 'rocket']);
  expect(messages(d)).toEqual([
    '2ic: I must know the colour.',
    '2ic: Then blue it is.',
    'eng-lead: Nothing to add.',
    'team-lead: Nothing to do.',
  ]);
  const { body } = await d.board();
  expect(body).toContain('Paint it blue.');
  expect(body).not.toMatch(/^- \[Q\d\]/m);
  expect(body).toContain('| Strategist | done | 2 |');
  expect((await d.said()).filter(text => text.includes('Q1: a question'))).toHaveLength(1);
});

test.for([
  ['a number that was not asked', 'wanda', '/answer Q7 Red.', 'there is no question Q7; what is open: Q1'],
  ['someone who reads', 'rita', '/answer Q1 Red.', 'needs write access to this repository; `rita` has read'],
  [
    'someone who triages',
    'tom',
    '/answer Q1 Red.',
    'needs write access to this repository; `tom` has triage',
  ],
  ['a stranger', 'sam', '/answer Q1 Red.', 'needs write access to this repository; `sam` has'],
  ['no text', 'wanda', '/answer Q1', 'the answer to Q1 is missing'],
  ['another command', 'wanda', '/approve', 'nothing waits for approval now'],
] as const)('%s: refused with the reason, and the run waits on', async ([, login, text, why]) => {
  const d = await stillAsked();
  const comment = await d.comment(login, text);
  expect(await d.last()).toContain(why);
  expect(await d.reactions(comment)).toContain('confused');
  expect(await d.status()).toBe('waiting: question');
  expect(messages(d)).toHaveLength(1);
});

test('an answer given twice: the second is refused', async () => {
  await using d = await openDialogue({
    replies: [
      ...one.replies.slice(0, 2),
      engineeringLead('A place.', branch('left')),
      teamLead('Nothing to do.'),
    ],
  });
  await d.label();
  await d.comment('wanda', '/answer Q1 Blue.\n/answer Q1 Red.');
  // The order of the two depends on the base tests' duration.
  const said = (await d.said()).slice(-2);
  expect(said.filter(text => text.includes('Q1 was answered before'))).toHaveLength(1);
  expect(said.find(text => text.startsWith('### Approve? '))).toContain('#### a1: create the branch left');
  await d.comment('mia', '/answer Q1 Green.');
  expect(await d.last()).toContain('Q1 was answered before; no question is open now');
  expect(await d.status()).toBe('waiting: approval');
});

test('several questions of one reply: all are asked, then all awaited, in any order', async () => {
  await using d = await openDialogue({
    replies: [
      strategist('Two things.', toPerson('Which colour?'), escalate),
      when('> They may.', strategist('Blue, and they may.')),
      ...one.replies.slice(2),
    ],
  });
  await d.label();
  expect(questions(d)).toEqual(['Q1', 'Q2']);
  expect((await d.replies())[0]).toContain(
    '- ask the person a question (Q1)\n- ask the person to decide (Q2)\n',
  );
  expect(await d.last()).toMatchInlineSnapshot(`
    "### Q2: a question from the Strategist

    > May old shelves break?
    > 
    > Why: It breaks old shelves.

    Answer with \`/answer Q2 your answer\` in one line; write access is needed. The Strategist waits for it."
  `);
  await d.comment('wanda', '/answer Q2 They may.');
  expect(await d.status()).toBe('waiting: question');
  expect((await d.board()).body).not.toContain('[Q2]');
  await d.comment('mia', '/answer Q1 Blue.');
  expect(messages(d)[1]).toBe('2ic: Blue, and they may.');
});

test('a layer asks above it, and that one asks the person first', async () => {
  await using d = await openDialogue({
    replies: [
      when('> Oak.', strategist('Oak, says the person.')),
      when('The Team lead asks you:', strategist('I have to ask.', toPerson('Which wood?'))),
      strategist('Build it.'),
      engineeringLead('As planned.'),
      when('> Oak, says the person.', teamLead('Oak. Nothing to do.')),
      teamLead('Which wood?', to('2ic', 'Which wood?')),
    ],
  });
  await d.label();
  expect(await d.status()).toBe('waiting: question');
  await d.restart();
  await d.comment('wanda', '/answer Q1 Oak.');
  expect((await d.replies()).join()).toContain('- ask the Strategist a question (Which wood?)');
  expect(messages(d).at(-1)).toBe('team-lead: Oak. Nothing to do.');
  expect(await d.last()).toContain('No issue was worked on.');
});

test('while a layer above is to answer, the board says whose answer is waited for, and how many are left', async () => {
  await using d = await openDialogue({
    config: 'budget: { layers: { 2ic: 0.1 } }\n',
    replies: [
      when('asks you:', strategist('Oak.')),
      costing(strategist('Build it.'), 0.2),
      when('> Oak.', engineeringLead('Oak it is.', branch('oak'))),
      engineeringLead('Which wood?', to('2ic', 'Which wood?')),
      teamLead('Nothing to do.'),
    ],
  });
  await d.label();
  expect(await d.status()).toBe('waiting: budget');
  const row = "| Engineering lead | waiting for the Strategist's answer (question 1 of 2) |";
  expect((await d.board()).body).toContain(row);
  await d.comment('mia', '/budget +5');
  expect((await d.board()).body).toContain('| Engineering lead | done |');
});

test('after two rounds the layer is told to decide by itself, and then it is not heard any more', async () => {
  const ask = to('2ic', 'And now?');
  await using d = await openDialogue({
    replies: [
      { ...when('asks you:', strategist('As you like.')), times: 9 },
      strategist('Build it.'),
      when('Decide by yourself', engineeringLead('Once more.', ask)),
      { ...engineeringLead('What now?', ask), times: 9 },
      teamLead('Nothing to do.'),
    ],
  });
  await d.label();
  expect(messages(d)).toEqual([
    '2ic: Build it.',
    'eng-lead: What now?',
    '2ic: As you like.',
    'eng-lead: What now?',
    '2ic: As you like.',
    'eng-lead: What now?',
    'eng-lead: Once more.',
    'team-lead: Nothing to do.',
  ]);
  const story = (await d.replies()).join();
  expect(story).toContain('ask the Strategist a question (not asked: it has asked often enough)');
  expect(story).toContain('`request_info`: dropped, the Engineering lead was told to decide by itself');
  expect(d.events).toContainEqual(expect.objectContaining({ type: 'action_dropped', layer: 'eng-lead' }));
});

test('the budget is used up when the answer comes: the run waits for it, and then goes on with the answer', async () => {
  await using d = await openDialogue({
    config: 'budget: { total: 1 }\n',
    replies: [one.replies[0]!, costing(one.replies[1]!, 1.5), ...one.replies.slice(2)],
  });
  await d.label();
  expect(await d.status()).toBe('waiting: question');
  await d.comment('wanda', '/answer Q1 Blue.');
  expect(await d.status()).toBe('waiting: budget');
  await d.restart();
  await d.comment('mia', '/budget +5');
  expect((await d.board()).body).toContain('Paint it blue.');
  expect(await d.last()).toContain('$1.50 of $6.00');
});

// The tool `ask` in the session of a layer, which a repository's own role may name.

const askTool = (question: string) => [{ name: 'ask', input: { question } }];
const role = `<task name="2ic">
  <inputs><input name="title"/><input name="directive"/><input name="files"/><input name="earlier"/></inputs>
  <instructions>Plan it.</instructions>
  <description>{{title}} {{directive}} {{files}} {{earlier}}</description>
  <tools>read_file, ask</tools>
  <disable_reparsing>true</disable_reparsing>
</task>
`;
const tool = {
  files: { '.github/echelon/2ic.xml': role },
  replies: [
    when(
      'Blue, in words of the person',
      costing(strategist('Then blue it is.', plan('Paint it blue.')), 0.25),
    ),
    costing({ for: '2ic', text: 'Let me ask.', tool_calls: askTool('Which colour?') }, 0.5),
    ...one.replies.slice(2),
  ],
};

test('a session of a layer that asks: it goes on where it was, in another process, and is paid for once', async () => {
  await using d = await openDialogue(tool);
  await d.label();
  expect(await d.status()).toBe('waiting: question');
  expect(shown(await d.last())).toContain('### Q1: a question from the Strategist\n\n> Which colour?');
  expect((await d.board()).body).toContain('| Strategist | waiting | 1 | $0.50 |');
  await d.restart();
  await d.comment('wanda', '/answer Q1 Blue, in words of the person.');
  const { body } = await d.board();
  expect(body).toContain('Paint it blue.');
  expect(body).toContain('| Strategist | done | 2 | $0.75 |');
});

test('the session that goes on fails: /retry goes on from the same answer', async () => {
  const [answered, ...rest] = tool.replies;
  await using d = await openDialogue({
    ...tool,
    replies: [when('Blue, in words', { for: '2ic', error: { type: 'crash' } }), answered!, ...rest],
  });
  await d.label();
  await d.comment('wanda', '/answer Q1 Blue, in words of the person.');
  expect(await d.status()).toBe('failed');
  await d.comment('wanda', '/retry');
  expect((await d.board()).body).toContain('Paint it blue.');
  expect(questions(d)).toEqual(['Q1']);
});

test('two sessions side by side ask: each asks once and goes on from its own answer', async () => {
  const sides = `<task type="map" name="2ic">
  <inputs><input name="title"/><input name="directive"/><input name="files"/><input name="earlier"/></inputs>
  <over>["left","right"]</over>
  <inner_task><task name="side"><instructions>Plan the {{item}} side.</instructions><tools>read_file, ask</tools></task></inner_task>
</task>
`;
  const read = { for: 'side', tool_calls: [{ name: 'read_file', input: { path: 'README.md' } }] };
  const side = (name: string): Reply[] => [
    when(`${name} is blue.`, read),
    when(`${name} is blue.`, read),
    when(`${name} is blue.`, { for: 'side', text: `Blue on the ${name}.` }),
    { ...when(`the ${name} side`, { for: 'side', tool_calls: askTool(`What of ${name}?`) }), times: 2 },
  ];
  await using d = await openDialogue({
    files: { '.github/echelon/2ic.xml': sides },
    replies: [...side('left'), ...side('right'), ...one.replies.slice(2)],
  });
  await d.label();
  await d.comment('wanda', '/answer Q1 left is blue.');
  await d.restart();
  await d.comment('wanda', '/answer Q2 right is blue.');
  expect(questions(d)).toEqual(['Q1', 'Q2']);
  expect(messages(d)[0]).toBe('2ic: ["Blue on the left.","Blue on the right."]');
});

test('a reply that packs well but that no reader of the record would unpack: the layer fails with a sentence', async () => {
  await using d = await openDialogue({
    replies: [strategist('a '.repeat(700_000)), strategist('Shorter.'), ...one.replies.slice(2)],
  });
  await d.label();
  expect((await d.board()).body).toContain('reply is too long for the record');
  await d.restart();
  await d.comment('wanda', '/retry');
  expect(messages(d)[0]).toBe('2ic: Shorter.');
});

test('a session that is too large for the record when it asks: the layer fails with a sentence', async () => {
  // Nothing that packs: 80,000 characters in the vault.
  const noise = randomBytes(60_000).toString('base64');
  await using d = await openDialogue({
    ...tool,
    replies: [
      {
        for: '2ic',
        tool_calls: [
          {
            name: 'datavault',
            input: { id: 'noise', type: 'text', description: 'noise', content: noise },
          },
          ...askTool('Which colour?'),
        ],
      },
      ...one.replies.slice(2),
    ],
  });
  await d.label();
  expect(await d.status()).toBe('failed');
  expect((await d.board()).body).toContain('in a session that is too large for the record');
});

test('a long answer of a tool beside the question is cut, and the session waits', async () => {
  await using d = await openDialogue({
    ...tool,
    files: {
      ...tool.files,
      'noise.txt': randomBytes(90_000)
        .toString('base64')
        .replace(/(.{100})/g, '$1\n'),
    },
    replies: [
      ...tool.replies.slice(0, 1),
      {
        for: '2ic',
        tool_calls: [{ name: 'read_file', input: { path: 'noise.txt' } }, ...askTool('Which colour?')],
      },
      ...one.replies.slice(2),
    ],
  });
  await d.label();
  expect(await d.status()).toBe('waiting: question');
  await d.comment('wanda', '/answer Q1 Blue, in words of the person.');
  expect(messages(d)[0]).toBe('2ic: Then blue it is.');
});

// Engineers.

const none = 'approval: none\n';
const asksFor = (...titles: string[]): Reply[] => [
  ...toWork(...titles.map((title, index) => ({ title, domain: index % 2 ? 'docs' : 'backend' }))),
];
const engineer = (of: string) => ({ for: 'engineer.director', when: of });
/** Writes a file, then asks. */
const asking = (title: string, question: string): Reply[] => [
  {
    ...engineer(`Title: "${title}"`),
    tool_calls: [{ name: 'write_file', input: { path: `${title}.txt`, content: 'begun\n' } }],
  },
  { ...engineer(`Title: "${title}"`), tool_calls: askTool(question) },
];
/** With the answer: reads what was written before, adds to it, and is done. */
const goingOn = (title: string, answer: string): Reply[] => [
  {
    ...engineer(answer),
    tool_calls: [{ name: 'shell', input: { command: `echo ${title} >> "${title}.txt"` } }],
  },
  { ...engineer(answer), text: 'Done as answered.' },
];
const asksOnce = {
  config: `${none}retries: 0\n`,
  replies: [
    ...asksFor('Add a mark'),
    ...goingOn('Add a mark', 'Letters, please'),
    ...asking('Add a mark', 'Letters or digits?'),
    evaluator('Title: "Add a mark"', true, 'Good.'),
  ],
};
const openAsksOnce = playedOnce(asksOnce);
const waits = (d: Dialogue) => d.until('a question', async () => (await d.status()) === 'waiting: question');
const moves = (d: Dialogue, issue: number) =>
  d.events.flatMap(event => (event.type === 'slot_changed' && event.issue === issue ? [event.to] : []));
const pulls = async (d: Dialogue) =>
  (
    await d.call<{ number: number; title: string; body: string }[]>('you', 'GET', '/pulls?state=all')
  ).toReversed();
async function patchOf(d: Dialogue, title: string): Promise<string> {
  const pull = (await pulls(d)).find(each => each.title === title);
  const files = await d.call<{ filename: string; patch: string }[]>(
    'you',
    'GET',
    `/pulls/${pull!.number}/files`,
  );
  return files.map(({ filename, patch }) => `${filename}\n${patch}`).join('\n');
}

test('an engineer asks: the question stands on the directive, the issue waits; /answer, after a restart, goes on with its session and its files', async () => {
  await using d = await openAsksOnce();
  await waits(d);
  expect(shown(await d.last())).toMatchInlineSnapshot(`
    "### Q1: a question from the engineer of #2

    > Letters or digits?

    Answer with \`/answer Q1 your answer\` in one line; write access is needed. The work on #2 waits for it."
  `);
  const { body } = await d.board();
  expect(body).toContain(', the engineer of #2: Letters or digits?');
  expect(body).toContain('| stands still | the answer to Q1 |');
  expect(moves(d, 2)).toEqual(['running', 'stuck']);
  await d.restart();
  await d.comment('wanda', '/answer Q1 Letters, please.');
  await d.ended();
  expect(moves(d, 2)).toEqual(['running', 'stuck', 'running', 'merging', 'delivering', 'done']);
  expect(await patchOf(d, 'Add a mark')).toMatchInlineSnapshot(`
    "Add a mark.txt
    @@ -0,0 +1,2 @@
    +begun
    +Add a mark"
  `);
  expect((await pulls(d))[0]!.body).toContain('Done as answered.');
  expect((await pulls(d))[0]!.body).toContain('passed in round 1.');
  expect((await d.board()).body).toContain('| delivered |');
});

test.for<[what: string, told: string, (d: Dialogue) => void]>([
  ['the folder of the job that asked is gone', 'was asked: Letters or digits?', d => d.forgetJobs()],
  [
    'a journal that is none',
    'answered: Letters.',
    d => d.spoilJobs('journal.jsonl', '{"format":"echelon-journal"}\n'),
  ],
])('%s: the attempt begins anew and is told question and answer', async ([_what, told, spoil]) => {
  await using d = await openDialogue({
    ...asksOnce,
    replies: [
      ...asksFor('Add a mark'),
      ...director(`The person ${told}`, { 'anew.txt': 'a\n' }, 'Anew.'),
      ...asking('Add a mark', 'Letters or digits?'),
      evaluator('Title: "Add a mark"', true),
    ],
  });
  await d.label();
  await waits(d);
  spoil(d);
  await d.comment('wanda', '/answer Q1 Letters.');
  await d.ended();
  expect(await patchOf(d, 'Add a mark')).toMatch(/^anew\.txt\n/);
});

test('a second round that asks: what the first came to is known, and told once', async () => {
  await using d = await openDialogue({
    config: `${none}retries: 0\n`,
    replies: [
      ...asksFor('Add a mark'),
      ...goingOn('Add a mark', 'Letters, please'),
      { ...engineer('Not like that.'), tool_calls: askTool('Letters or digits?') },
      ...director('Title: "Add a mark"', { 'first.txt': '1\n' }),
      { ...evaluator('Add a mark', true, 'Good.'), when: 'Done as answered.' },
      evaluator('Title: "Add a mark"', false, 'Not like that.'),
    ],
  });
  await d.label();
  await waits(d);
  await d.comment('wanda', '/answer Q1 Letters, please.');
  await d.ended();
  expect(await patchOf(d, 'Add a mark')).toContain('first.txt');
  expect((await pulls(d))[0]!.body).toContain('passed in round 2.');
  expect((await d.board()).body).toContain('| delivered |');
});

test('later rounds and attempts know the answer', async () => {
  await using d = await openDialogue({
    config: `${none}rounds: 2\nretries: 1\n`,
    replies: [
      ...asksFor('Add a mark'),
      // The second attempt knows what became of the first, and the answer.
      ...director('the evaluator did not accept', { 'b.txt': 'b\n' }, 'Second attempt.'),
      ...goingOn('Add a mark', 'Letters, please.\n\n(Your checkout'),
      { ...engineer('The person answered: Letters, please.'), text: 'Second round.' },
      ...asking('Add a mark', 'Letters or digits?'),
      when('Second attempt.', evaluator('x', true)),
      { ...evaluator('Title: "Add a mark"', false, 'No.'), times: 2 },
    ],
  });
  await d.label();
  await waits(d);
  await d.comment('wanda', '/answer Q1 Letters, please.');
  await d.ended();
  expect(moves(d, 2)).toEqual([
    ...['running', 'stuck', 'running', 'retrying', 'pending'],
    ...['running', 'merging', 'delivering', 'done'],
  ]);
  expect((await pulls(d))[0]!.body).toContain('Second attempt.');
  expect(questions(d)).toEqual(['Q1']);
});

test('two engineers ask at once: both wait, each goes on with its own answer', async () => {
  await using d = await openDialogue({
    config: none,
    replies: [
      ...asksFor('Left', 'Right'),
      ...goingOn('Left', 'To the left'),
      ...goingOn('Right', 'To the right'),
      ...asking('Left', 'Where to?'),
      ...asking('Right', 'And this?'),
      evaluator('Title: "Left"', true),
      evaluator('Title: "Right"', true),
    ],
  });
  await d.label();
  await d.until('two questions', () => questions(d).length === 2);
  await d.settled();
  expect(await d.status()).toBe('waiting: question');
  const left = (await d.said()).find(text => text.includes('engineer of #2'))!.match(/Q\d/)![0];
  const right = left === 'Q1' ? 'Q2' : 'Q1';
  await d.comment('wanda', `/answer ${right} To the right.\n/answer ${left} To the left.`);
  await d.ended();
  expect(await patchOf(d, 'Left')).toContain('+Left');
  expect(await patchOf(d, 'Right')).toContain('+Right');
});

test('/retry while an engineer waits for the person: what has failed is tried again now', async () => {
  await using d = await openDialogue({
    config: `${none}rounds: 1\nretries: 0\n`,
    replies: [
      ...asksFor('Left', 'Right'),
      ...goingOn('Left', 'To the left'),
      ...asking('Left', 'Where to?'),
      ...director('the evaluator did not accept', { 'again.txt': 'a\n' }, 'Better.'),
      ...director('Title: "Right"', { 'right.txt': 'r\n' }),
      evaluator('Title: "Left"', true),
      when('Better.', evaluator('x', true)),
      evaluator('Title: "Right"', false, 'No.'),
    ],
  });
  await d.label();
  await waits(d);
  await d.until('a failure', () => moves(d, 3).includes('failed'));
  await d.settled();
  const wrong = await d.comment('wanda', '/retry #2');
  expect(await d.last()).toContain('#2 is no issue of this run that has failed');
  expect(await d.reactions(wrong)).toContain('confused');
  const right = await d.comment('wanda', '/retry #3');
  expect(await d.reactions(right)).toEqual(['eyes', 'rocket']);
  await d.until('a delivery', () => moves(d, 3).includes('done'));
  await d.settled();
  expect(await d.status()).toBe('waiting: question');
  await d.comment('wanda', '/answer Q1 To the left.');
  await d.ended();
  expect(await pulls(d)).toHaveLength(2);
});

test('a session that had its answer and failed: it is not asked for again when another one asks', async () => {
  const scout = `<task name="scout"><instructions>Scout the shelf.</instructions><tools>ask</tools></task>`;
  const wants = { subtask_request: { description: 'Scout the shelf' } };
  await using d = await openDialogue({
    config: `${none}retries: 0\n`,
    files: { '.github/echelon/scout.xml': scout },
    replies: [
      ...asksFor('Add a mark'),
      { for: 'scout', when: 'On the left', error: { type: 'crash' } },
      { for: 'scout', tool_calls: askTool('Which side?') },
      ...goingOn('Add a mark', 'Letters, please'),
      { ...engineer('The subtask "scout" failed'), tool_calls: askTool('Letters or digits?') },
      {
        ...engineer('Title: "Add a mark"'),
        text: JSON.stringify({ status: 'CONTINUATION', content: '', notes: wants }),
      },
      evaluator('Title: "Add a mark"', false, 'Not yet.'),
      evaluator('Title: "Add a mark"', true),
    ],
  });
  await d.label();
  await waits(d);
  await d.comment('wanda', '/answer Q1 On the left.');
  await d.until('another question', () => questions(d).length === 2);
  await waits(d);
  expect(shown(await d.last())).toContain('> Letters or digits?');
  await d.comment('wanda', '/answer Q2 Letters, please.');
  await d.ended();
  expect(questions(d)).toEqual(['Q1', 'Q2']);
  expect(await pulls(d)).toHaveLength(1);
});

test('one slot: an issue that waits for the person leaves it to the next', async () => {
  await using d = await openDialogue({
    config: `${none}max_parallel: 1\n`,
    replies: [
      ...asksOnce.replies.slice(3),
      ...asksFor('Add a mark', 'Add a note'),
      ...passes('Title: "Add a note"', { 'note.txt': 'n\n' }),
    ],
  });
  await d.label();
  await waits(d);
  expect(moves(d, 3)).toEqual(['running', 'merging', 'delivering', 'done']);
  await d.comment('wanda', '/answer Q1 Letters, please.');
  await d.ended();
  expect(await pulls(d)).toHaveLength(2);
});

test('/cancel while an engineer waits', async () => {
  await using d = await openAsksOnce();
  await waits(d);
  await d.comment('wanda', '/cancel');
  expect(await d.status()).toBe('cancelled');
  expect(moves(d, 2)).toEqual(['running', 'stuck', 'cancelled']);
});

test('the budget is used up when an engineer gets its answer: /budget lets it go on', async () => {
  const [first, ask] = asking('Add a mark', 'Letters or digits?');
  await using d = await openDialogue({
    config: `${none}budget: { total: 1 }\n`,
    replies: [
      ...asksFor('Add a mark'),
      ...goingOn('Add a mark', 'Letters, please'),
      first!,
      costing(ask!, 1.5),
      evaluator('Title: "Add a mark"', true, 'Good.'),
    ],
  });
  await d.label();
  await waits(d);
  await d.comment('wanda', '/answer Q1 Letters, please.');
  expect(await d.status()).toBe('waiting: budget');
  await d.comment('mia', '/budget +5');
  await d.ended();
  expect(await d.last()).toContain('$1.50 of $6.00');
  expect(await pulls(d)).toHaveLength(1);
});
