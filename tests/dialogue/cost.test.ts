// `/cost`: what a run has spent, asked of it at several of its moments.
import { expect, test } from 'vitest';
import { openDialogue } from './fixture.ts';
import {
  branch,
  costing,
  director,
  engineeringLead,
  evaluator,
  issues,
  strategist,
  teamLead,
  work,
} from './script.ts';

/** Each reply costs something else, so that no two sums are alike. */
const layers = [costing(strategist('As directed.'), 0.1), costing(engineeringLead('Nothing to add.'), 0.02)];

const waiting = {
  replies: [
    layers[0]!,
    costing(engineeringLead('A place.', branch('left')), 0.02),
    costing(teamLead('Nothing to do.'), 0.03),
  ],
};

test('of a run that waits: by layer, in all, against the limit; asked by a reader, which changes nothing of the record', async () => {
  await using d = await openDialogue(waiting);
  await d.label();
  const before = await d.board();
  const comment = await d.comment('rita', '/cost');
  expect(await d.last()).toMatchInlineSnapshot(`
    "**$0.15 of $50.00** spent, $49.85 is left.

    | Layer or issue | Model calls | Cost |
    | --- | --- | --- |
    | Strategist | 1 | $0.10 |
    | Engineering lead | 1 | $0.02 |
    | Team lead | 1 | $0.03 |
    | **In all** | 3 | $0.15 |

    <sub>played by the scripted model, which costs nothing</sub>"
  `);
  expect(await d.reactions(comment)).toEqual(['rocket']);
  expect(await d.board()).toEqual(before);
});

/** Two issues: the first passes at once, the second in its second round. */
const worked = {
  config: 'approval: none\nbudget: { total: 2 }\n',
  replies: [
    ...layers,
    costing(teamLead('Two.', issues({ title: 'Add a mark' }, { title: 'Light a lamp' }), work), 0.03),
    ...director('Title: "Add a mark"', { 'mark.txt': 'A1\n' }).map(reply => costing(reply, 0.2)),
    costing(evaluator('Add a mark', true), 0.04),
    ...director('Title: "Light a lamp"', { 'lamp.txt': 'on\n' }).map(reply => costing(reply, 0.3)),
    costing(evaluator('Light a lamp', false, 'Brighter.'), 0.05),
    ...director('Title: "Light a lamp"', { 'lamp.txt': 'bright\n' }).map(reply => costing(reply, 0.3)),
    costing(evaluator('Light a lamp', true), 0.05),
  ],
};

test('of a run that has ended: by issue too', async () => {
  await using d = await openDialogue(worked);
  await d.run();
  await d.comment('rita', '/cost');
  expect(await d.last()).toMatchInlineSnapshot(`
    "**$1.89 of $2.00** spent, $0.11 is left.

    | Layer or issue | Model calls | Cost |
    | --- | --- | --- |
    | Strategist | 1 | $0.10 |
    | Engineering lead | 1 | $0.02 |
    | Team lead | 1 | $0.03 |
    | #2 | 3 | $0.44 |
    | #3 | 6 | $1.30 |
    | **In all** | 12 | $1.89 |

    <sub>played by the scripted model, which costs nothing</sub>"
  `);
});

test('on a sub-issue while its job works: that what the job spends is not known yet', async () => {
  await using d = await openDialogue({
    config: 'approval: none\n',
    replies: [
      ...layers,
      costing(teamLead('One.', issues({ title: 'Light a lamp' }), work), 0.03),
      { for: 'engineer.director', tool_calls: [{ name: 'shell', input: { command: 'sleep 60' } }] },
    ],
  });
  await d.label();
  await d.until('a job at work', () =>
    d.events.some(event => event.type === 'slot_changed' && event.to === 'running'),
  );
  await d.comment('rita', '/cost', 2);
  expect(await d.last(2)).toMatchInlineSnapshot(`
    "Of the run of #1:

    **$0.15 of $50.00** spent, $49.85 is left.

    | Layer or issue | Model calls | Cost |
    | --- | --- | --- |
    | Strategist | 1 | $0.10 |
    | Engineering lead | 1 | $0.02 |
    | Team lead | 1 | $0.03 |
    | #2 | 0 | $0.00 |
    | **In all** | 3 | $0.15 |

    1 job still at work: what it spends counts when it ends.

    <sub>played by the scripted model, which costs nothing</sub>"
  `);
});
