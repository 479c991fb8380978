// A process that goes on with stories after a crash, or dies in the middle of one. Told what to play by its parent.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createRef, moveRef } from './calls.ts';
import { copyFolder, type FinishedJobs, standAnew } from './copies.ts';
import { factsOf } from './facts.ts';
import { type PlotName, plots } from './plots.ts';
import type { Moment } from './recording.ts';
import { openStory, playOn } from './story.ts';

export interface Play {
  /** Of the story; goes on there, or begins with `copy`, or from nothing. */
  folder: string;
  copy?: string;
  source: string;
  path: string;
  plot?: PlotName;
  /** Reports to find; without them the jobs are run. */
  jobs?: FinishedJobs;
  /** Point at which this process kills itself: at the call, or when the next one comes in. */
  kill?: Place;
}

/** A call by its route and how many of that route there were, itself included. */
export interface Place {
  route: string;
  occurrence: number;
  moment: Moment;
}

export interface Played {
  facts: string[];
  /** Messages of the App to its operator, and routes the forge lacks. */
  problems: string[];
  ms: number;
}

async function play({
  folder,
  copy,
  source,
  path,
  plot: name = 'sample',
  jobs,
  kill,
}: Play): Promise<Played> {
  const began = performance.now();
  if (copy !== undefined) copyFolder(copy, folder);
  if (jobs && !existsSync(join(folder, 'jobs'))) copyFolder(jobs.folder, join(folder, 'jobs'));
  const plot = plots[name];
  const problems: string[] = [];
  let occurrence = 0;
  const local = await openStory({
    folder,
    source,
    path,
    plot,
    onCall(call, phase) {
      if (phase === 'received') {
        if (kill && occurrence === kill.occurrence) die();
        return;
      }
      if (jobs && (call.route === createRef || call.route === moveRef)) standAnew(folder, jobs);
      if (call.route === kill?.route) occurrence += 1;
      if (occurrence === kill?.occurrence && kill.moment === 'unanswered') die();
    },
    // Session events are no problems.
    log: line => void (line.startsWith('event ') || problems.push(line)),
  });
  try {
    await playOn(local, () => {}, plot);
    // One more look finds nothing left to do.
    await local.webhooks.reconcileAll(true);
    await local.installations.idle();
    const facts = await factsOf(local.forge);
    problems.push(...local.forge.missing.map(route => `the forge has no route ${route}`));
    return { facts, problems, ms: Math.round(performance.now() - began) };
  } finally {
    await local.close();
  }
}

const die = () => process.kill(process.pid, 'SIGKILL');

process.on('message', (order: Play) => {
  play(order).then(
    played => process.send?.(played),
    error => process.send?.({ facts: [], problems: [String(error)], ms: 0 } satisfies Played),
  );
});
process.on('disconnect', () => process.exit());
