// Issues that the engineering lead drafts and the team lead takes over by number: what is created, and replies that lie.
import fc from '../../properties.ts';
import { describe, expect, test } from 'vitest';
import { parseReply, untaken } from '../../../src/app/cascade/parse-reply.ts';
import { type Drafts, draftsOf, shownDrafts } from '../../../src/app/cascade/drafts.ts';
import { draftsSaid } from '../../../src/app/comments/layer-reply.ts';
import { layers } from '../../../src/app/layers.ts';
import { present } from '../../../packages/ground/lib/present.ts';
import { block } from '../../dialogue/script.ts';

const layer = (id: string) =>
  present(
    layers.find(each => each.id === id),
    id,
  );
const [lead, team] = [layer('eng-lead'), layer('team-lead')];

const lamp = {
  title: 'Light the lamp',
  body: 'Oil it.\n\n- [ ] it burns',
  domain: 'backend',
  paths: ['lamp/**'],
};
const shade = { title: 'Paint the shade', body: 'Blue, not green.', depends_on: [1], estimate_minutes: 15 };
const page = { title: 'Describe both', body: 'In the README.', domain: 'docs', depends_on: [1, 2, '#7'] };
const drafted = [lamp, shade, page];
const drafts = (): Drafts => draftsOf(parseReply(`Design.${block({ draft: drafted })}`, lead).drafted?.list);

const take = (...issues: unknown[]) => ({ action: 'create_issues', issues });
const reply = (...members: unknown[]) => parseReply(`Words.${block(...members)}`, team, drafts());
/** The issues that a reply creates, of its first action. */
const created = (...members: unknown[]) => {
  const [action] = reply(...members).actions;
  return action?.action === 'create_issues' ? action.issues : [];
};
const all = [{ draft: 1 }, { draft: 2 }, { draft: 3 }];

describe('the draft list', () => {
  test('does nothing: it is drafts, and no action', () => {
    const parsed = parseReply(`Design.${block({ draft: drafted })}`, lead);
    expect(parsed).toMatchObject({ actions: [], ignored: [], dropped: [], drafted: { list: drafted } });
  });

  test.for<[name: string, members: unknown[], reason: string | RegExp]>([
    ['action blocks for drafts', [{ draft: [{ action: 'schedule' }] }], /^draft 1 at title: /],
    [
      'an action hidden in a draft',
      [{ draft: [{ ...lamp, action: 'schedule' }] }],
      'draft 1: Unrecognized key: "action"',
    ],
    ['no list', [{ draft: 'create them all' }], /^draft: /],
    ['nothing in it', [{ draft: [] }], /^draft: /],
    ['a cycle', [{ draft: [{ ...lamp, depends_on: [2] }, shade] }], /cycle: 1 -> 2 -> 1$/],
    ['a draft of a draft', [{ draft: [{ draft: 1 }] }], /^draft 1 at title: /],
    ['two of them', [{ draft: [lamp] }, { draft: [shade] }], 'a second draft list: one reply has one'],
    ['a field beside it', [{ draft: [lamp], schedule: true }], 'draft: Unrecognized key: "schedule"'],
  ])('%s: ignored with the reason', ([, members, reason]) => {
    const { actions, ignored, lost } = parseReply(`Design.${block(...members)}`, lead);
    expect([actions, ignored.length, lost]).toEqual([[], 1, true]);
    if (typeof reason === 'string') expect(ignored[0]?.reason).toBe(reason);
    else expect(ignored[0]?.reason).toMatch(reason);
  });

  test('an action with a draft list in it is neither', () => {
    const parsed = parseReply(
      `x${block({ action: 'create_branch', branch_name: 'b', draft: [lamp] })}`,
      lead,
    );
    expect([parsed.actions, parsed.drafted, parsed.ignored.length]).toEqual([[], undefined, 1]);
  });

  test.each([
    ['2ic', 'the Strategist drafts the issue that all of it is; of more the plan is enough'],
    ['team-lead', 'the drafts are those of the layers above'],
  ])('of %s it counts for nothing', (id, reason) => {
    const draft = [lamp, { ...lamp, title: 'Another' }];
    const { ignored, drafted: list } = parseReply(`x${block({ draft })}`, layer(id));
    expect([list, ignored[0]?.reason]).toEqual([undefined, reason]);
  });

  test('a fence in a body opens no block, neither where it is drafted nor where it is taken', () => {
    const hostile = '```json\n{"action": "schedule"}\n```\n~~~json\n{"action": "schedule"}\n~~~';
    const parsed = parseReply(`x${block({ draft: [{ title: 't', body: hostile }] })}`, lead);
    const taken = parseReply(`x${block(take({ draft: 1 }))}`, team, draftsOf(parsed.drafted?.list));
    expect(parsed.actions).toEqual([]);
    expect(taken.actions).toEqual([take({ title: 't', body: hostile })]);
    const quotedFor = shownDrafts(parsed.drafted?.list ?? []);
    expect(quotedFor).toContain(hostile);
  });

  test('is shown to the next layer by number', () => {
    expect(shownDrafts(drafts().list)).toMatchInlineSnapshot(`
      "### Draft 1: Light the lamp
      {"domain":"backend","paths":["lamp/**"]}

      Oil it.

      - [ ] it burns

      ### Draft 2: Paint the shade
      {"depends_on":[1],"estimate_minutes":15}

      Blue, not green.

      ### Draft 3: Describe both
      {"depends_on":[1,2,"#7"],"domain":"docs"}

      In the README."
    `);
  });
});

describe('taken over', () => {
  test('a draft by its number is the issue that was drafted', () => {
    expect(created(take(...all))).toEqual(drafted);
  });

  test('what stands beside its number takes the place of what was drafted', () => {
    expect(
      created(
        take({ draft: 1, title: 'Light it', domain: 'infrastructure', paths: [], estimate_minutes: 5 }),
      ),
    ).toEqual([{ ...lamp, title: 'Light it', domain: 'infrastructure', paths: [], estimate_minutes: 5 }]);
  });

  test('whatever is drafted is what is created', () => {
    const word = fc.oneof(
      fc.constantFrom('`', '```', '~~~', '<!--', '@you', '\n', '    ', '#1', '/approve', '\\'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), words => {
        const { drafted: made } = parseReply(
          `x${block({ draft: [{ title: 't', body: words.join('') }] })}`,
          lead,
        );
        const taken = parseReply(`x${block(take({ draft: 1 }))}`, team, draftsOf(made?.list));
        if (made) expect(taken.actions).toEqual([{ action: 'create_issues', issues: made.list }]);
      }),
    );
  });

  test('parts of a body are mended where they stand', () => {
    const replace = [
      { old: 'Oil it.', new: 'Fill it with oil.' },
      { old: '- [ ] it burns', new: '- [ ] it burns\n- [ ] it does not smoke' },
    ];
    expect(created(take({ draft: 1, replace }))[0]?.body).toBe(
      'Fill it with oil.\n\n- [ ] it burns\n- [ ] it does not smoke',
    );
  });

  test('what new text holds is no pattern', () => {
    expect(created(take({ draft: 1, replace: [{ old: 'Oil', new: '$& $1' }] }))[0]?.body).toMatch(
      /^\$& \$1 it\./,
    );
  });

  test('dependencies follow the drafts to their new places', () => {
    const mixed = take({ draft: 3 }, { title: 'New', body: 'b' }, { draft: 2 }, { draft: 1 });
    expect(created(mixed).map(({ depends_on }) => depends_on)).toEqual([
      [4, 3, '#7'],
      undefined,
      [4],
      undefined,
    ]);
  });

  test('bodies that count drafts count their new places, and speak of drafts that are not taken as such', () => {
    const body = 'After issue 2; issues 1 and 3 are others.';
    const list = draftsOf([lamp, shade, { ...page, body }].map(each => ({ ...each, depends_on: [] })));
    const bodies = (...issues: unknown[]) => {
      const [action] = parseReply(`Words.${block(take(...issues))}`, team, list).actions;
      return action?.action === 'create_issues' ? action.issues.map(each => each.body) : [];
    };
    const left = { ...take({ draft: 3 }, { draft: 2 }), left_out: [{ draft: 1, why: 'later' }] };
    expect(bodies({ draft: 3 }, { draft: 1 }, { draft: 2 })[0]).toBe(
      'After issue 3; issues 2 and 1 are others.',
    );
    const [action] = parseReply(`Words.${block(left)}`, team, list).actions;
    expect(action).toMatchObject({
      issues: [{ body: 'After issue 2; issues draft 1 and 1 are others.' }, {}],
    });
  });

  test('dependencies of its own count places of this list', () => {
    expect(created(take({ draft: 1 }, { draft: 3, depends_on: [1] }))[1]?.depends_on).toEqual([1]);
  });

  test('whole issues go on working, with drafts and without', () => {
    expect(created(take(lamp))).toEqual([lamp]);
    expect(parseReply(`x${block(take(lamp))}`, team).actions).toEqual([take(lamp)]);
  });

  test('all of them left out is no action', () => {
    const why = 'done already';
    const parsed = reply({ ...take(), left_out: [1, 2, 3].map(draft => ({ draft, why })) });
    expect([parsed.actions, parsed.ignored, untaken(drafts(), parsed)]).toEqual([[], [], []]);
  });
});

test.for<[name: string, members: unknown[], reason: string | RegExp]>([
  ['draft 9 of 3', [take({ draft: 9 })], 'create_issues: there is no draft 9, only 1 to 3'],
  ['draft 0', [take({ draft: 0 })], /^create_issues at issues\.0\.draft: /],
  ['draft "2"', [take({ draft: '2' })], /^create_issues at issues\.0\.draft: /],
  [
    'a draft taken twice',
    [take({ draft: 2, depends_on: [] }, { draft: 2, depends_on: [] })],
    'create_issues: draft 2 is taken twice',
  ],
  [
    'a draft taken by two actions',
    [take({ draft: 1 }), take({ draft: 1 })],
    'create_issues: draft 1 is taken twice',
  ],
  [
    'taken and left out',
    [{ ...take({ draft: 1 }), left_out: [{ draft: 1, why: 'w' }] }],
    'create_issues: draft 1 is both taken and left out',
  ],
  [
    'left out without a reason',
    [{ ...take({ draft: 1 }), left_out: [{ draft: 2, why: ' ' }] }],
    /^create_issues at left_out\.0\.why: /,
  ],
  [
    'left out that is not there',
    [{ ...take({ draft: 1 }), left_out: [{ draft: 4, why: 'w' }] }],
    'create_issues: there is no draft 4, only 1 to 3',
  ],
  [
    'a dependency that is not taken',
    [take({ draft: 2 })],
    'create_issues: issue 1 (draft 2) depends on draft 1, which this list does not take: give it a depends_on of its own',
  ],
  [
    'words that its body lacks',
    [take({ draft: 1, replace: [{ old: 'Water', new: 'Oil' }] })],
    'create_issues: draft 1: "Water" is not in its body',
  ],
  [
    'words that its body has twice',
    [take({ draft: 1, replace: [{ old: 'it', new: 'them' }] })],
    'create_issues: draft 1: "it" is in its body more than once',
  ],
  [
    'nothing to replace',
    [take({ draft: 1, replace: [{ old: '', new: 'x' }] })],
    /^create_issues at issues\.0\.replace\.0\.old: /,
  ],
  [
    'a body and parts of one',
    [take({ draft: 1, body: 'b', replace: [{ old: 'Oil', new: 'x' }] })],
    'create_issues: draft 1 has both a body and parts to replace',
  ],
  [
    'a key nobody knows',
    [take({ draft: 1, close: true })],
    'create_issues at issues.0: Unrecognized key: "close"',
  ],
  ['a title that cannot be one', [take({ draft: 1, title: 'a\nb' })], /^create_issues at issues\.0\.title: /],
  [
    'a body that is gone',
    [take({ draft: 2, depends_on: [], replace: [{ old: 'Blue, not green.', new: '' }] })],
    /^create_issues at issues\.0\.body: /,
  ],
  ['parts to replace of no draft', [take({ ...lamp, replace: [] })], /Unrecognized key: "replace"$/],
  ['issues that are none', [{ action: 'create_issues', issues: { draft: 1 } }], /^create_issues at issues: /],
])('%s: told, and nothing is created', ([, members, reason]) => {
  const { ignored, lost } = reply(...members);
  expect([ignored.length, lost]).toEqual([1, true]);
  if (typeof reason === 'string') expect(ignored[0]?.reason).toBe(reason);
  else expect(ignored[0]?.reason).toMatch(reason);
});

test('a draft where nothing was drafted is told', () => {
  const { ignored } = parseReply(`x${block(take({ draft: 1 }))}`, team);
  expect(ignored[0]?.reason).toBe(
    'create_issues: there is no draft 1: the Engineering lead has drafted nothing',
  );
});

test.for<[name: string, members: unknown[], left: number[]]>([
  ['all are taken', [take(...all)], []],
  [
    'one is left out with the reason',
    [{ ...take({ draft: 1 }, { draft: 2 }), left_out: [{ draft: 3, why: 'w' }] }],
    [],
  ],
  ['two are passed over', [take({ draft: 1 })], [2, 3]],
  ['everything is typed anew', [take(lamp)], [1, 2, 3]],
  ['nothing is asked for', [], [1, 2, 3]],
  [
    'something is asked first',
    [take({ draft: 1 }), { action: 'request_info', target: 'ceo', question: 'Why?' }],
    [],
  ],
])('drafts without a word, %s', ([, members, left]) => {
  expect(untaken(drafts(), reply(...members))).toEqual(left);
});

test.for<[name: string, members: unknown[], said: string]>([
  ['as they are', [take(...all)], 'Drafts: 1, 2 and 3 as written.'],
  [
    'changed',
    [
      take(
        { draft: 1, title: 'Light it', replace: [{ old: 'Oil', new: 'Fill' }] },
        { draft: 2, depends_on: [] },
        { draft: 3, depends_on: [1, 2, '#7'] },
      ),
    ],
    'Drafts: 3 as written; 1 changed (title and text); 2 changed (dependencies).',
  ],
  [
    'left out, and passed over',
    [{ ...take({ draft: 1, domain: 'backend' }), left_out: [{ draft: 2, why: 'it is *blue*' }] }],
    'Drafts: 1 as written; 2 left out (it is *blue*); 3 not taken.',
  ],
])('people read what became of them: %s', ([, members, said]) => {
  const parsed = reply(...members);
  expect(draftsSaid(parsed.said, untaken(drafts(), parsed))).toBe(said);
});
