// Estimated costs before approval, real costs, and what the next run learns from them.
import { expect, test } from 'vitest';
import { openDialogue } from './fixture.ts';
import { costing, director, evaluator, issues, quietLeads, type Reply, teamLead, work } from './script.ts';

const asks = (of: string, title: string): Reply => ({
  ...teamLead('One issue.', issues({ title, domain: 'backend' }), work),
  when: of,
});

/** The dollars of `about $0.90 (0.40 to 2.10), 40 minutes (25 to 70)`, of which the fixture makes the minutes alike. */
function dollarsIn(text: string) {
  const found = /about \$([\d.]+) \(([\d.]+) to ([\d.]+)\), N minutes \(N to N\)/.exec(text);
  const [likely = NaN, low = NaN, high = NaN] = (found ?? []).slice(1).map(Number);
  return { low, likely, high, said: found?.[0] ?? text };
}

test('what was listed stands in the end beside what it cost, and moves the next estimate of another process', async () => {
  await using d = await openDialogue({
    replies: [
      ...quietLeads,
      asks('Tidy the shelf', 'Add a mark'),
      asks('Mend the sum', 'Count anew'),
      ...director('Add a mark', { 'mark.txt': 'A1\n' }).map(reply => costing(reply, 2)),
      costing(evaluator('Add a mark', true, 'Good.'), 1),
    ],
  });
  await d.label();
  const listed = dollarsIn(await d.last());
  expect(listed.low).toBeLessThan(listed.likely);
  expect(listed.likely).toBeLessThan(listed.high);

  await d.comment('you', '/approve');
  await d.ended();
  const end = await d.last();
  // The layers of this story cost nothing, so that the whole is its one issue.
  expect(end).toContain(`It cost $5.00 of $50.00 and took N s; estimated were ${listed.said}.`);
  expect(end).toMatch(/\| #2 \| \$[\d.]+ \([\d.]+ to [\d.]+\) \| \$5\.00 \| N min \(N to N\) \| 1 min \|/);

  await d.call('you', 'PATCH', '/issues/1', { state: 'closed' });
  await d.restart();
  const { number } = await d.call<{ number: number }>('you', 'POST', '/issues', {
    ...{ title: 'Mend the sum', body: 'It is wrong.', labels: ['echelon'] },
  });
  await d.settled();
  expect(dollarsIn(await d.last(number)).likely).toBeGreaterThan(1.5 * listed.likely);
});
