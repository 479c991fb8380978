// Actions in a layer's reply: blocks found, parsed, allowed, and every rejected one with its reason.
import fc from '../../properties.ts';
import { describe, expect, test } from 'vitest';
import { parseReply } from '../../../src/app/cascade/parse-reply.ts';
import { type IssuePlan, dependencyProblem } from '../../../src/app/cascade/issue-plan.ts';
import { jsonBlocks, prose } from '../../../src/app/cascade/reply-blocks.ts';
import { type ActionName, type LayerId, layers } from '../../../src/app/layers.ts';
import { expectLinear } from '../../cpu-time.ts';

const all: ActionName[] = [
  'update_plan',
  'create_issues',
  'schedule',
  'create_branch',
  'request_review',
  'request_info',
  'escalate',
];
const anyone = { id: 'team-lead', may: all } as const;

const fence = (content: string, info = 'json') =>
  `Words.\n\n\`\`\`${info}\n${content}\n\`\`\`\n\nMore words.`;
/** In one line: names of the actions, then what was ignored and dropped. */
function summary(reply: string, layer: Parameters<typeof parseReply>[1] = anyone): string {
  const { actions, ignored, dropped } = parseReply(reply, layer);
  return [
    actions.map(({ action }) => action).join(', '),
    ...ignored.map(({ line, reason }) => `ignored line ${line}: ${reason}`),
    ...dropped.map(({ reason }) => `dropped: ${reason}`),
  ]
    .filter(Boolean)
    .join(' | ');
}

const plan = '{"action":"update_plan","plan":"p"}';
const issue = '{"title":"t","body":"b"}';
const issues = (list: string) => `{"action":"create_issues","issues":[${list}]}`;

test.for<[name: string, reply: string, summary: string | RegExp]>([
  ['prose alone', 'Nothing to do.', ''],
  ['an empty reply', '', ''],
  ['one action', fence(plan), 'update_plan'],
  ['an array of actions', fence(`[${plan},${plan}]`), 'update_plan, update_plan'],
  ['an empty array', fence('[]'), ''],
  ['two blocks', fence(plan) + fence('{"action":"schedule"}'), 'update_plan, schedule'],
  ['info string in capitals', fence(plan, 'JSON'), 'update_plan'],
  ['info string with more words', fence(plan, 'json title=plan'), 'update_plan'],
  ['info string after a space', fence(plan, ' json'), 'update_plan'],
  ['a block of another language', fence(plan, 'js'), ''],
  ['json5 is not json', fence(plan, 'json5'), ''],
  ['json-lines is not json', fence(plan, 'json-lines'), ''],
  ['jsonc is not json', fence(plan, 'jsonc'), ''],
  ['a block without a language', fence(plan, ''), ''],
  ['tildes', `~~~json\n${plan}\n~~~`, 'update_plan'],
  ['a longer fence that holds a shorter one', `\`\`\`\`json\n${plan}\n\`\`\`\``, 'update_plan'],
  ['a json block shown within a longer fence', `\`\`\`\`md\n${fence(plan)}\n\`\`\`\``, ''],
  ['a json block shown within a fence of tildes', `~~~md\n${fence(plan)}\n~~~`, ''],
  ['a json block shown within a fence that is never closed', `\`\`\`\`md\n${fence(plan)}`, ''],
  ['a json block in a block quote', fence(plan).replace(/^/gm, '> '), ''],
  [
    'a key twice, differently',
    fence('{"action":"schedule","action":"escalate"}'),
    'ignored line 3: the key "action" is there twice, and says two things',
  ],
  ['a key twice, the same', fence('{"action":"schedule","action":"schedule"}'), 'schedule'],
  [
    'a key twice in an issue',
    fence(issues('{"title":"a","body":"b","title":"c"}')),
    'ignored line 3: the key "title" is there twice, and says two things',
  ],
  ['a fence indented by three', `   \`\`\`json\n${plan}\n   \`\`\``, 'update_plan'],
  ['a fence indented by four is code', `    \`\`\`json\n    ${plan}\n    \`\`\``, ''],
  ['a fence that is never closed', `\`\`\`json\n${plan}`, 'update_plan'],
  ['Windows line ends', fence(plan).replaceAll('\n', '\r\n'), 'update_plan'],
  ['JSON without a fence', plan, ''],
  ['JSON that is cut off', fence('{"action":'), /^ignored line 3: not JSON: /],
  ['a comment in JSON', fence(`{/* why */ "action":"schedule"}`), /^ignored line 3: not JSON: /],
  ['a trailing comma', fence('{"action":"schedule",}'), /^ignored line 3: not JSON: /],
  ['an empty block', fence(''), /^ignored line 3: not JSON: /],
  ['a number', fence('7'), 'ignored line 3: no object with the key "action"'],
  ['null', fence('null'), 'ignored line 3: no object with the key "action"'],
  ['an array in an array', fence(`[[${plan}]]`), 'ignored line 3: no object with the key "action"'],
  ['an object without an action', fence('{"plan":"p"}'), 'ignored line 3: no object with the key "action"'],
  [
    'an action that does not exist',
    fence('{"action":"delete_repo"}'),
    /^ignored line 3: delete_repo at action: /,
  ],
  ['an action that is no text', fence('{"action":{"x":1}}'), /^ignored line 3: /],
  [
    'a good and a bad member',
    fence(`[${plan},3]`),
    'update_plan | ignored line 3: action 2: no object with the key "action"',
  ],
  ['a good and a bad block', fence('{') + fence(plan), /^update_plan \| ignored line 3: not JSON/],
  ['an unknown key', fence('{"action":"schedule","isues":[1]}'), /^ignored line 3: schedule: .*isues/],
  [
    'a key from Object.prototype',
    fence('{"action":"schedule","__proto__":{"x":1}}'),
    /^(schedule|ignored line 3: schedule: )/,
  ],
  ['a plan that is missing', fence('{"action":"update_plan"}'), /^ignored line 3: update_plan at plan: /],
  [
    'a plan of spaces',
    fence('{"action":"update_plan","plan":"  "}'),
    /^ignored line 3: update_plan at plan: /,
  ],
  ['the older name of schedule', fence('{"action":"invoke_cheenoski","issues":[1,"#2"]}'), 'schedule'],
  [
    'a number of slots that is too large',
    fence('{"action":"schedule","max_parallel":21}'),
    /^ignored line 3: schedule at max_parallel: /,
  ],
  ['no issues', fence(issues('')), /^ignored line 3: create_issues at issues: /],
  ['51 issues', fence(issues(Array(51).fill(issue).join(','))), /^ignored line 3: create_issues at issues: /],
  ['50 issues', fence(issues(Array(50).fill(issue).join(','))), 'create_issues'],
  [
    'an issue without a body',
    fence(issues('{"title":"t"}')),
    /^ignored line 3: create_issues at issues\.0\.body: /,
  ],
  [
    'a title of 257 characters',
    fence(issues(`{"title":"${'t'.repeat(257)}","body":"b"}`)),
    /issues\.0\.title/,
  ],
  [
    'a dependency on itself',
    fence(issues('{"title":"t","body":"b","depends_on":[1]}')),
    /issue 1 depends on itself$/,
  ],
  [
    'a dependency on nothing',
    fence(issues('{"title":"t","body":"b","depends_on":[4]}')),
    /issue 1 depends on 4, but the list has 1$/,
  ],
  [
    'a dependency on place 0',
    fence(issues('{"title":"t","body":"b","depends_on":[0]}')),
    /^ignored line 3: create_issues at issues\.0\.depends_on\.0/,
  ],
  [
    'a dependency on an existing issue',
    fence(issues('{"title":"t","body":"b","depends_on":["#7"]}')),
    'create_issues',
  ],
  [
    'a dependency on "7"',
    fence(issues('{"title":"t","body":"b","depends_on":["7"]}')),
    /issues\.0\.depends_on\.0/,
  ],
  ['a branch', fence('{"action":"create_branch","branch_name":"team/a-1"}'), 'create_branch'],
  [
    'a branch from another',
    fence('{"action":"create_branch","branch_name":"a","from":"b"}'),
    'create_branch',
  ],
  ['a review', fence('{"action":"request_review","pr_number":1,"focus":"Names."}'), 'request_review'],
  [
    'a review of nothing',
    fence('{"action":"request_review","pr_number":0}'),
    /^ignored line 3: request_review at pr_number/,
  ],
  ['a decision', fence('{"action":"escalate","reason":"r","decision_needed":"d"}'), 'escalate'],
  [
    'a decision without a reason',
    fence('{"action":"escalate","decision_needed":"d"}'),
    /^ignored line 3: escalate at reason/,
  ],
  [
    'an empty question',
    fence('{"action":"request_info","target":"ceo","question":" "}'),
    /^ignored line 3: request_info at question/,
  ],
  [
    'a question too long for a comment',
    fence(JSON.stringify({ action: 'request_info', target: 'ceo', question: 'q'.repeat(8001) })),
    /^ignored line 3: request_info at question/,
  ],
  [
    'a question to nobody known',
    fence('{"action":"request_info","target":"me","question":"q"}'),
    /^ignored line 3: request_info at target: /,
  ],
])('%s', ([, reply, expected]) => {
  if (typeof expected === 'string') expect(summary(reply)).toBe(expected);
  else expect(summary(reply)).toMatch(expected);
});

test.for([
  '-x',
  '.x',
  'a..b',
  'a//b',
  'a/.b',
  'a.lock',
  'a.lock/b',
  'a/',
  'a.',
  'a b',
  'a~1',
  'a^',
  'a:b',
  'a?',
  'a*',
  'a[',
  'a\\b',
  'a@{1}',
  '--upload-pack=x',
  'a\nb',
  'ä',
  'a'.repeat(201),
])('%j is no branch name', name => {
  expect(summary(fence(JSON.stringify({ action: 'create_branch', branch_name: name })))).toMatch(
    /^ignored line 3: create_branch at branch_name: /,
  );
});

describe('roles', () => {
  const one: Record<ActionName, object> = {
    update_plan: { plan: 'p' },
    create_issues: { issues: [{ title: 't', body: 'b' }] },
    schedule: {},
    create_branch: { branch_name: 'b' },
    request_review: { pr_number: 1 },
    request_info: { target: 'ceo', question: 'q' },
    escalate: { reason: 'r', decision_needed: 'd' },
  };
  const reply = fence(JSON.stringify(all.map(action => ({ action, ...one[action] }))));

  test.for(layers.map(layer => [layer.name, layer] as const))(
    'the %s uses what it may, the rest is dropped',
    ([, layer]) => {
      const { actions, dropped, ignored } = parseReply(reply, layer);
      const used = actions.map(({ action }) => action);
      expect(new Set(used)).toEqual(new Set(layer.may));
      expect(dropped.map(({ action }) => action)).toEqual(all.filter(action => !layer.may.includes(action)));
      expect(ignored).toEqual([]);
    },
  );
});

describe('questions', () => {
  test.for<[target: string, from: LayerId, expected: string]>([
    ['ceo', '2ic', 'request_info'],
    ['ceo', 'eng-lead', 'request_info'],
    ['ceo', 'team-lead', 'request_info'],
    ['2ic', '2ic', 'dropped: the Strategist asks itself'],
    ['2ic', 'eng-lead', 'request_info'],
    ['2ic', 'team-lead', 'request_info'],
    ['eng-lead', '2ic', 'dropped: the Engineering lead stands below the Strategist'],
    ['eng-lead', 'eng-lead', 'dropped: the Engineering lead asks itself'],
    ['eng-lead', 'team-lead', 'request_info'],
    ['team-lead', '2ic', 'dropped: the Team lead stands below the Strategist'],
    ['team-lead', 'eng-lead', 'dropped: the Team lead stands below the Engineering lead'],
    ['team-lead', 'team-lead', 'dropped: the Team lead asks itself'],
  ])('to %s by %s: %s', ([target, id, expected]) => {
    const reply = fence(JSON.stringify({ action: 'request_info', target, question: 'q' }));
    expect(summary(reply, { id, may: all })).toBe(expected);
  });
});

describe('dependencies', () => {
  const chain = (...lists: number[][]): IssuePlan[] =>
    lists.map((depends_on, at) => ({ title: `t${at}`, body: 'b', depends_on }));

  test.for<[string, number[][], string | undefined]>([
    ['none', [[], []], undefined],
    ['in order', [[], [1], [2]], undefined],
    ['against the order', [[2], [3], []], undefined],
    ['a diamond', [[], [1], [1], [2, 3]], undefined],
    ['two', [[2], [1]], 'the dependencies form a cycle: 1 -> 2 -> 1'],
    ['three behind a way in', [[2], [3], [4], [2]], 'the dependencies form a cycle: 2 -> 3 -> 4 -> 2'],
  ])('%s', ([, lists, problem]) => {
    expect(dependencyProblem(chain(...lists))).toBe(problem);
  });

  test('fifty in a line', () => {
    expect(
      dependencyProblem(chain(...Array.from({ length: 50 }, (_, at) => (at === 0 ? [] : [at])))),
    ).toBeUndefined();
  });
});

const toPlan = '\n\n```json\n{"action":"update_plan"}\n```';
test.for<[name: string, reply: string, plan: string]>([
  ['below its heading', `# Plan\n\n1. Oil.\n2. *Light*.\n${toPlan}`, '1. Oil.\n2. *Light*.'],
  [
    'up to the next heading of its level',
    `Words.\n## Plan\nOil.\n### How\nSlowly.\n## Not in it\nLight.${toPlan}`,
    'Oil.\n### How\nSlowly.',
  ],
  [
    'with a heading in code',
    `# plan #\nOil:\n\`\`\`sh\n# Not a heading\n\`\`\`\n# End${toPlan}`,
    'Oil:\n```sh\n# Not a heading\n```',
  ],
  ['in the action itself', `# Plan\nOil.\n${fence(plan)}`, 'p'],
  ['the first of two', `# Plan\nOil.\n# Plan\nLight.${toPlan}`, 'Oil.'],
])('a plan %s', ([, reply, expected]) => {
  expect(parseReply(reply, anyone).actions).toEqual([{ action: 'update_plan', plan: expected }]);
});

test.for([
  ['nowhere', `The plan: oil.${toPlan}`, 'stands neither here nor under a heading "Plan" of the reply'],
  [
    'in code',
    `\`\`\`md\n# Plan\nOil.\n\`\`\`${toPlan}`,
    'stands neither here nor under a heading "Plan" of the reply',
  ],
  ['in a quote', `> # Plan\n> Oil.${toPlan}`, 'stands neither here nor under a heading "Plan" of the reply'],
  [
    'below a heading, and empty',
    `# Plan\n# Light${toPlan}`,
    'Too small: expected string to have >=1 characters',
  ],
])('a plan %s is none', ([, reply, reason]) => {
  expect(parseReply(reply!, anyone)).toMatchObject({
    actions: [],
    ignored: [{ reason: `update_plan at plan: ${reason}` }],
  });
});

test.for([
  ['blocks left out', `Before.\n\n\`\`\`json\n${plan}\n\`\`\`\n\nAfter.`, 'Before.\n\n\n\nAfter.'],
  ['other blocks stay', '```js\nlet a;\n```', '```js\nlet a;\n```'],
  ['an unclosed block to the end', `Before.\n\`\`\`json\n${plan}\nAfter.`, 'Before.'],
  [
    'a json block shown within a longer fence stays',
    '````md\n```json\n{}\n```\n````',
    '````md\n```json\n{}\n```\n````',
  ],
  ['json5 stays', '```json5\n{}\n```', '```json5\n{}\n```'],
  ['Windows line ends', `Before.\r\n\`\`\`json\r\n${plan}\r\n\`\`\`\r\nAfter.`, 'Before.\r\n\r\nAfter.'],
] as const)('prose: %s', ([, reply, left]) => {
  expect(prose(reply).replace(/\r/g, '')).toBe(left.replace(/\r/g, ''));
});

const reply = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '```json',
        '```',
        '~~~',
        '~~~json',
        '````',
        plan,
        '{',
        '[',
        '\n',
        '\r\n',
        '    ',
        '> ',
        '`',
      ),
      fc.string({ maxLength: 8 }),
    ),
    { maxLength: 30 },
  )
  .map(parts => parts.join('\n'));

test('no reply makes it throw, and every block is accounted for', () => {
  fc.assert(
    fc.property(reply, text => {
      const parsed = parseReply(text, anyone);
      expect(parsed.blocks).toBe(jsonBlocks(text).length);
      const lines = text.split(/\r?\n/).length;
      for (const { line } of parsed.ignored) expect(line >= 1 && line <= lines).toBe(true);
    }),
  );
});

test('what people read holds none of the blocks that were taken for actions', () => {
  fc.assert(
    fc.property(reply, text => {
      expect(jsonBlocks(prose(text)).filter(({ content }) => content.includes(plan))).toEqual([]);
    }),
  );
});

test.for([
  ['many blocks', (size: number) => '```json\n{"a":1}\n```\n'.repeat(size / 20)],
  ['a long fence', (size: number) => `${'`'.repeat(size)}${' '.repeat(size)}\``],
  ['a fence before many spaces', (size: number) => `\`\`\`${' '.repeat(size)}\``],
] as const)('%s: read in a time that grows with them', ([, make]) => {
  expectLinear(text => [parseReply(text, anyone), prose(text)], make, 300_000);
});
