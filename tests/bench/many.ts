// A directive of many small issues that do not touch one another, with a script that lets some of them fail.
import { commit } from '../committed.ts';
import { director, evaluator, type Reply, toWork } from '../dialogue/script.ts';

/** End of an issue: delivered, delivered by its second attempt, or given up. */
export type Fate = 'once' | 'twice' | 'never';

export interface Many {
  fates: readonly Fate[];
  maxParallel: number;
  /** The last issue depends on the first. */
  chained?: boolean;
}

export const directive = { title: 'Many parts', body: 'Every part is a file of its own.' };

export const titleOf = (at: number) => `Part ${String(at + 1).padStart(3, '0')}`;
const fileOf = (at: number) => `parts/${titleOf(at).toLowerCase().replace(' ', '-')}.txt`;

/** A third fails once, two for good, the others pass at once; spread over the list. */
export const fatesOf = (count: number): Fate[] =>
  Array.from({ length: count }, (_none, at) =>
    at === 1 || at === count - 2 ? 'never' : at % 3 === 0 ? 'twice' : 'once',
  );

/** Time of a model's reply (milliseconds). */
const THINKING = 100;

/** `engineers`: how long their model takes instead. */
export function scriptOf({ fates, chained }: Many, { engineers = THINKING } = {}): string {
  const last = fates.length - 1;
  const listed = fates.map((_fate, at) => ({
    ...{ title: titleOf(at), domain: 'backend', paths: [fileOf(at)] },
    ...(chained && at === last && { depends_on: [1] }),
  }));
  const replies: Reply[] = [...toWork(...listed), ...fates.flatMap(repliesOf)];
  return JSON.stringify({
    version: 1,
    replies: replies.map(reply => ({
      ...reply,
      delay_ms: reply.for.startsWith('engineer') ? engineers : THINKING,
    })),
  });
}

function repliesOf(fate: Fate, at: number): Reply[] {
  const title = titleOf(at);
  const lacks = `${title} lacks its end.`;
  const whole = [
    ...director(`Title: "${title}"`, { [fileOf(at)]: 'whole\n' }, `Now ${title} is whole.`),
    evaluator(`Now ${title} is whole.`, true, 'Good.'),
  ];
  if (fate === 'once') return whole;
  const half = [
    ...director(`Title: "${title}"`, { [fileOf(at)]: 'half\n' }, `Half of ${title}.`),
    evaluator(`Half of ${title}.`, false, lacks),
  ];
  // The next attempt is told the result of the one before.
  const again = whole.map(reply => (reply.for === 'engineer.director' ? { ...reply, when: lacks } : reply));
  return fate === 'twice' ? [...again, ...half] : half;
}

/** A git repository with a configuration, whose other lines are `config`, and a test command for it; answers its path. */
export function repositoryOf(
  { maxParallel }: Many,
  folder: string,
  config: readonly string[] = [
    'approval: none',
    'test: sh test.sh',
    'limits: { open_drafts: { run: 50, repository: 100 } }',
  ],
): string {
  const lines = ['rounds: 1', 'retries: 1', `max_parallel: ${maxParallel}`, ...config];
  commit(folder, { '.github/echelon.yml': [...lines, ''].join('\n'), 'test.sh': 'echo all is well\n' });
  return folder;
}
