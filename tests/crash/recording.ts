// The undisturbed story, with a copy of its state at each call of the App: applied and unanswered, answered and unrecorded.
import { cpSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { ForgeCall } from '../../packages/forge/calls.ts';
import { commit } from '../committed.ts';
import { type FinishedJobs, finishedJobs, takeCopy } from './copies.ts';
import { factsOf } from './facts.ts';
import { type PlotName, plots } from './plots.ts';
import { openStory, playOn } from './story.ts';

/** Moments of a crash: the answer of a call is lost, or it arrived and nothing was recorded. */
export const moments = ['unanswered', 'unrecorded'] as const;
export type Moment = (typeof moments)[number];

export interface Recording extends Disposable {
  source: string;
  calls: readonly ForgeCall[];
  facts: string[];
  jobs: FinishedJobs;
  /** Folder of a copy. */
  copy(call: ForgeCall, moment: Moment): string;
}

/** The sample's project as a repository in `folder`. `config`: lines of `.github/echelon.yml`. */
export function sampleSource(folder: string, config?: string): string {
  const source = join(folder, 'source');
  cpSync(join(import.meta.dirname, '../sample/project'), source, { recursive: true });
  commit(source, config === undefined ? {} : { '.github/echelon.yml': config });
  return source;
}

export interface Recorded {
  source: string;
  plot?: PlotName;
  /** True to keep a copy at this call (default: always). `acts`: number of the person's acts so far. */
  keeps?(call: ForgeCall, moment: Moment, acts: number): boolean;
  /** No job stands on a branch that is made again: all copies are of a time when they are there. */
  jobsStand?: true;
}

/** Plays the story in `folder` and keeps its copies there. */
export async function record(
  folder: string,
  path: string,
  { source, plot: name = 'sample', keeps = () => true, jobsStand }: Recorded,
): Promise<Recording> {
  const plot = plots[name];
  const story = join(folder, 'story');
  const copy = ({ n }: ForgeCall, moment: Moment) => join(folder, `copy-${n}-${moment}`);
  const keep = (call: ForgeCall, moment: Moment) => {
    if (keeps(call, moment, acts)) takeCopy(story, copy(call, moment));
  };
  let acts = 0;
  let last: { call: ForgeCall; answered: boolean } | undefined;
  const problems: string[] = [];
  const unrecorded = () => {
    if (last?.answered === false) keep(last.call, 'unrecorded');
    if (last) last.answered = true;
  };
  let open = 0;
  const local = await openStory({
    folder: story,
    source,
    path,
    plot,
    onCall(call, phase) {
      if (phase === 'received') {
        // Only calls that follow one another have a state between them.
        if (++open > 1) problems.push(`call ${call.n} came before the one before it was applied`);
        unrecorded();
        return;
      }
      open -= 1;
      keep(call, 'unanswered');
      last = { call, answered: false };
    },
    // Session events are no problems.
    log: line => void (line.startsWith('event ') || problems.push(line)),
  });
  try {
    await playOn(
      local,
      () => {
        unrecorded();
        acts += 1;
      },
      plot,
    );
    const facts = await factsOf(local.forge);
    if (problems.length > 0) throw new Error(`the undisturbed story had problems:\n${problems.join('\n')}`);
    const { calls } = local.forge;
    const port = Number(new URL(local.forge.url).port);
    await local.close();
    const nobody = await holdPort(port);
    const jobs = finishedJobs(story, join(folder, 'jobs'), jobsStand);
    return { source, calls, facts, jobs, copy, [Symbol.dispose]: () => nobody.close() };
  } finally {
    await local.close();
  }
}

/** Webhooks queued in a copy go to the port of then. It must not become another story's. */
function holdPort(port: number): Promise<Server> {
  const server = createServer(socket => socket.destroy());
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', () => resolve(server));
  });
}
