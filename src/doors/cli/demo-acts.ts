// Acts of people in a story, carried out in order. Each waits until the run goes no further.
import { z } from 'zod';
import type { RunView } from '../../app/views.ts';

/** Part of how a run stands; of a list the first elements, null for what is not there. */
const Part = z.record(z.string(), z.unknown());
export type Part = z.infer<typeof Part>;

export const Act = z.discriminatedUnion('act', [
  /** Changes are requested of the pull request that has the file, with a comment on a line of it. */
  z.strictObject({
    act: z.literal('review'),
    path: z.string(),
    line: z.int().positive(),
    body: z.string(),
    comment: z.string(),
  }),
  /** Said on the directive. `{pull}` becomes the number of the pull request that has the file `with`. */
  z.strictObject({ act: z.literal('comment'), body: z.string(), with: z.string().optional() }),
  /** Lets the workflows run that GitHub holds until somebody has read the change. */
  z.strictObject({ act: z.literal('run_checks') }),
  /** Another directive is filed and labelled, until its run stands so; what follows is about that one. */
  z.strictObject({
    act: z.literal('directive'),
    title: z.string(),
    body: z.string(),
    until: Part,
    tells: z.string(),
  }),
  /** Nobody does anything: the run must stand so, and it is told what that is. */
  z.strictObject({ act: z.literal('expect'), view: Part, tells: z.string() }),
]);
export type Act = z.infer<typeof Act>;

/** Target of an act: one repository of the forge, acted on as one person. */
export interface ActPlace {
  /** Of the repository; throws where it is refused. */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Tells what the person does. */
  say(text: string): void;
  /** Tells what it is that is to be seen. */
  tell(text: string): void;
  /** Files and labels a directive. */
  file(title: string, body: string): Promise<void>;
  comment(body: string): Promise<void>;
  /** State of the newest directive's run once it goes no further, or as soon as it matches `until`. */
  settled(until?: Part): Promise<RunView | undefined>;
}

/** Answers why the story cannot go on so, a clause; undefined: it went as told. */
export async function perform(act: Act, view: RunView, place: ActPlace): Promise<string | undefined> {
  switch (act.act) {
    case 'review':
      return await review(act, view, place);
    case 'comment': {
      const pull = act.with === undefined ? undefined : await pullWith(act.with, view, place);
      if (act.with !== undefined && pull === undefined) return noPull(act.with);
      await place.comment(act.body.replace('{pull}', String(pull)));
      await place.settled();
      return undefined;
    }
    case 'run_checks':
      await runChecks(place);
      return undefined;
    case 'directive':
      await place.file(act.title, act.body);
      return expected(await place.settled(act.until), act.until, place, act.tells);
    case 'expect':
      return expected(view, act.view, place, act.tells);
  }
}

async function review(
  { path, line, body, comment }: Extract<Act, { act: 'review' }>,
  view: RunView,
  place: ActPlace,
): Promise<string | undefined> {
  const pull = await pullWith(path, view, place);
  if (pull === undefined) return noPull(path);
  place.say(`requests changes on #${pull}, ${path}:${line}: ${comment}`);
  await place.call('POST', `/pulls/${pull}/reviews`, {
    ...{ event: 'REQUEST_CHANGES', body, comments: [{ path, line, body: comment }] },
  });
  await place.settled();
  return undefined;
}

async function runChecks({ call, say, settled }: ActPlace): Promise<void> {
  const Runs = z.object({ workflow_runs: z.array(z.object({ id: z.number() })) });
  const { workflow_runs: held } = Runs.parse(await call('GET', '/actions/runs?status=action_required'));
  if (held.length > 0) say(`presses "Approve workflows to run" for ${held.length} of them`);
  for (const { id } of held) await call('POST', `/actions/runs/${id}/approve`);
  await settled();
}

async function pullWith(path: string, { issues }: RunView, { call }: ActPlace): Promise<number | undefined> {
  const Files = z.array(z.object({ filename: z.string() }));
  for (const { pull } of issues.filter(({ merged }) => !merged)) {
    if (pull === null) continue;
    const files = Files.parse(await call('GET', `/pulls/${pull}/files`));
    if (files.some(({ filename }) => filename === path)) return pull;
  }
  return undefined;
}

const noPull = (path: string) => `no pull request has the file ${path}, of which the story speaks`;

function expected(
  view: RunView | undefined,
  part: Part,
  { tell }: ActPlace,
  tells: string,
): string | undefined {
  if (!standsSo(view, part))
    return `the run stands otherwise than in the story: ${view?.status ?? 'there is none'}, ${view?.note ?? view?.phase}`;
  tell(tells);
  return undefined;
}

/** True if a value contains this part, at any depth. */
export function standsSo(value: unknown, part: unknown): boolean {
  if (part === null) return value === null || value === undefined;
  if (typeof part !== 'object') return value === part;
  if (typeof value !== 'object' || value === null) return false;
  const own = new Map(Object.entries(value));
  return Object.entries(part).every(([key, each]) => standsSo(own.get(key), each));
}
