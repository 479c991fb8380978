// Begin of a run, and reasons against it: labels, permissions, the configuration.
import { expect, test } from 'vitest';
import { openDialogue } from './fixture.ts';
import { quiet } from './script.ts';

test('label by someone with write access: the layers answer in their order', async () => {
  await using d = await openDialogue({ replies: quiet });
  await d.label('wanda');
  expect([...(await d.replies()), await d.story()].join('\n=====\n')).toMatchInlineSnapshot(`
    "<details><summary>Strategist: As directed.</summary>

    > As directed.

    <sub>scripted, N s, $0.00</sub>

    </details>
    =====
    <details><summary>Engineering lead: Nothing to add.</summary>

    > Nothing to add.

    <sub>scripted, N s, $0.00</sub>

    </details>
    =====
    <details><summary>Team lead: Nothing to do.</summary>

    > Nothing to do.

    <sub>scripted, N s, $0.00</sub>

    </details>
    =====
    The run has failed. No issue was worked on. The layers scheduled none, or what they asked for was not approved.

    Take the label off and put it on again to begin anew.

    It cost $0.00 of $50.00 and took N s. It was played by the scripted model."
  `);
});

test('label by someone who may only triage: refused, no run, until someone who may puts it on', async () => {
  await using d = await openDialogue({ replies: quiet });
  await d.label('tom');
  expect(await d.story()).toMatchInlineSnapshot(
    `"The label \`echelon\` was put on by \`tom\`, who has triage access. Write access is needed to begin a run."`,
  );
  await expect(d.board()).rejects.toThrow('no run comment');
  await d.relabel('wanda');
  expect(await d.status()).toBe('failed');
});

test('another label begins nothing; the label in another case is the same, as on GitHub: it begins the run and carries it on', async () => {
  await using d = await openDialogue({ replies: quiet });
  await d.label('you', 'bug');
  expect(await d.comments()).toEqual([]);
  await d.label('wanda', 'Echelon');
  expect(await d.status()).toBe('failed');
  expect(await d.replies()).toHaveLength(3);
});

test('the same webhook delivered twice: one run', async () => {
  await using d = await openDialogue({ replies: quiet });
  await d.label();
  const before = await d.comments();
  const delivery = d.forge.deliveries().find(each => each.event === 'issues' && each.action === 'labeled');
  await d.forge.redeliver(delivery!.id);
  await d.settled();
  expect(await d.comments()).toEqual(before);
});

test('label on a closed issue begins nothing', async () => {
  await using d = await openDialogue({ replies: quiet });
  await d.call('you', 'PATCH', `/issues/${d.issue}`, { state: 'closed' });
  await d.label();
  expect(await d.comments()).toEqual([]);
});

test('a configuration with problems: the whole comment; mended, and the label put on again: a run', async () => {
  await using d = await openDialogue({ replies: quiet, config: 'aproval: none\nretries: -1\n' });
  await d.label();
  expect(await d.story()).toMatchInlineSnapshot(`
    "The run does not begin, because \`.github/echelon.yml\` on the default branch has 2 problems:

    - \`.github/echelon.yml:2:1\` unknown key aproval; did you mean "approval"?
    - \`.github/echelon.yml:3:1\` retries: Too small: expected number to be >=0

    Mend the file, then take the label off and put it on again."
  `);
  await d.putFile('.github/echelon.yml', 'approval: none\nisolation: none\n');
  await d.relabel();
  expect(await d.status()).toBe('failed');
});

test('a label of one’s own in the configuration', async () => {
  await using d = await openDialogue({ replies: quiet, config: 'label: build it\n' });
  await d.label('you', 'echelon');
  expect(await d.comments()).toEqual([]);
  await d.label('you', 'build it');
  expect(await d.status()).toBe('failed');
});

test('a base branch that does not exist: said, no run', async () => {
  await using d = await openDialogue({ replies: quiet, config: 'base: develop\n' });
  await d.label();
  expect(await d.story()).toMatchInlineSnapshot(
    `"The run does not begin: the base branch develop does not exist. Mend \`base\` in .github/echelon.yml. Then take the label off and put it on again."`,
  );
});
