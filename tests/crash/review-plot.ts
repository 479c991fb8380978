// A story that goes to the merge: of two pull requests one stands on the other; the lower one is reviewed and reworked, both are merged.
import { z } from 'zod';
import type { Forge } from '../../packages/forge/forge.ts';
import { director, evaluator, passes, type Reply, toWork } from '../dialogue/script.ts';
import { list, person, place, Pull, ReviewComment } from './facts.ts';
import type { Plot, Seen } from './story.ts';

const [lower, upper] = ['A mark', 'Over the mark'] as const;
const wish = 'Marks are capitals.';

const written = (title: string, files: Record<string, string>): Reply[] => [
  ...passes(`The body of ${title}`, files),
];
const replies: Reply[] = [
  ...director(wish, { 'mark.txt': 'A1\n' }).slice(0, -1),
  {
    for: 'engineer.director',
    when: wish,
    text: '<result status="COMPLETE">\n<content>It is a capital.</content>\n<output name="answers">[{"thread": "T1", "done": true, "answer": "A capital now."}]</output>\n</result>',
  },
  evaluator(wish, true),
  ...toWork({ title: lower, domain: 'backend' }, { title: upper, domain: 'docs', depends_on: [1] }),
  ...written(lower, { 'mark.txt': 'a1\n' }),
  ...written(upper, { 'over.txt': 'over\n' }),
];

/** Lines of the repository's configuration that the story needs. */
export const reviewConfig = ['approval: none', 'draft: false', 'test: sh test.sh'];

export const reviewPlot: Plot = {
  directive: { title: 'Mark it', body: 'A mark, and something over it.' },
  script: JSON.stringify({ version: 1, replies }),
  after,
};

const repository = `/repos/${place.owner}/${place.name}`;

/** The person's acts after delivery: reviews the lower pull request, and merges each that goes to main. */
async function after(forge: Forge): Promise<Seen['next']> {
  const pulls = await list(forge, `${repository}/pulls?state=all`, Pull);
  const own = pulls.find(({ title }) => title === lower);
  if (!own || pulls.length < 2) return 'wait';
  const at = `${repository}/pulls/${own.number}`;
  const said = await list(forge, `${at}/comments`, ReviewComment);
  if (said.length === 0)
    return () =>
      forge.call(person, 'POST', `${at}/reviews`, {
        ...{ event: 'REQUEST_CHANGES', body: 'Nearly.' },
        comments: [{ path: 'mark.txt', line: 1, body: wish }],
      });
  // The last that is written of a round.
  if (!own.body?.includes('1 round of review')) return 'wait';
  const open = pulls.filter(({ state }) => state === 'open');
  const next = open.find(({ base }) => base.ref === 'main');
  if (open.length === 0) return 'end';
  if (!next || (next.title === upper && !(await isMergeable(forge, next.number)))) return 'wait';
  return () => forge.call(person, 'PUT', `${repository}/pulls/${next.number}/merge`, {});
}

async function isMergeable(forge: Forge, number: number): Promise<boolean> {
  const { body } = await forge.call(person, 'GET', `${repository}/pulls/${number}`);
  return z.object({ mergeable: z.boolean().nullable() }).parse(body).mergeable === true;
}
