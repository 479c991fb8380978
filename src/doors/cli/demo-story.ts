// What people do in a story after everything was delivered: a file beside the sample, with the replies that answer it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { mergeOrder } from '../../app/comments/merge-order.ts';
import type { RunView } from '../../app/comments/view.ts';
import { Script, ScriptReply } from '../../engine/models/script.ts';
import type { ModelChoice } from '../../engine/runtime/open-model.ts';
import { samplePath } from './sample.ts';

const Act = z.discriminatedUnion('act', [
  /** Changes are requested of the pull request that has the file, with a comment on a line of it. */
  z.strictObject({
    act: z.literal('review'),
    path: z.string(),
    line: z.int().positive(),
    body: z.string(),
    comment: z.string(),
  }),
  /** All pull requests are marked as ready and merged, in the order that the run gives. */
  z.strictObject({ act: z.literal('merge') }),
]);
export type Act = z.infer<typeof Act>;

const Story = z.strictObject({ replies: z.array(ScriptReply), acts: z.array(Act) });

const names = () => readdirSync(samplePath('stories')).map(file => file.replace(/\.json$/, ''));

/** The sample's story of that name over its script: the story's own replies come first. */
export function readStory(
  name: string,
  sample: Extract<ModelChoice, { provider: 'scripted' }>,
): { acts: Act[]; model: ModelChoice } | { problem: string } {
  const path = samplePath(`stories/${name}.json`);
  if (!/^\w+$/.test(name) || !existsSync(path))
    return { problem: `there is no story ${name}; there is ${names().join(', ')}` };
  const { replies, acts } = Story.parse(JSON.parse(readFileSync(path, 'utf8')));
  const script = Script.parse(JSON.parse(sample.script));
  const whole = { ...script, replies: [...replies, ...script.replies] };
  return { acts, model: { ...sample, script: JSON.stringify(whole) } };
}

/** Where an act is done: one repository of the forge, as one person. */
export interface ActPlace {
  /** Of the repository; throws where it is refused. */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  graphql(query: string, variables: object): Promise<void>;
  say(text: string): void;
  /** Waits until the run goes no further; answers how it stands. */
  settled(): Promise<RunView | undefined>;
}

const ready =
  'mutation ($id: ID!) { markPullRequestReadyForReview(input: {pullRequestId: $id}) { clientMutationId } }';

export async function perform(act: Act, view: RunView, place: ActPlace): Promise<void> {
  const pulls = mergeOrder(view.issues).flatMap(({ pull }) => pull ?? []);
  if (act.act === 'review') {
    const pull = await pullWith(act.path, pulls, place);
    place.say(`requests changes on #${pull}, ${act.path}:${act.line}: ${act.comment}`);
    const comments = [{ path: act.path, line: act.line, body: act.comment }];
    await place.call('POST', `/pulls/${pull}/reviews`, {
      ...{ event: 'REQUEST_CHANGES', body: act.body, comments },
    });
    await place.settled();
    return;
  }
  for (const pull of pulls) {
    place.say(`merges #${pull}`);
    const { node_id: id } = z
      .object({ node_id: z.string() })
      .parse(await place.call('GET', `/pulls/${pull}`));
    await place.graphql(ready, { id });
    await place.call('PUT', `/pulls/${pull}/merge`, {});
    await place.settled();
  }
}

async function pullWith(path: string, pulls: readonly number[], { call }: ActPlace): Promise<number> {
  const Files = z.array(z.object({ filename: z.string() }));
  for (const pull of pulls) {
    const files = Files.parse(await call('GET', `/pulls/${pull}/files`));
    if (files.some(({ filename }) => filename === path)) return pull;
  }
  throw new Error(`no pull request has the file ${path}, of which the story speaks`);
}
