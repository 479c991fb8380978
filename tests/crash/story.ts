// The demo's story on a forge of its own: a person files the directive, labels it, approves, and waits for the end.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBoard, statusOf } from '../board.ts';
import type { Forge, ForgeOptions } from '../../packages/forge/forge.ts';
import { type Local, openLocal } from '../../src/doors/cli/local.ts';
import { commentsOn, issuesOf, person, place } from './facts.ts';

const sample = join(import.meta.dirname, '../sample');
const [heading = '', ...rest] = readFileSync(join(sample, 'directive.md'), 'utf8').split('\n');

/** The directive, and the models' replies. */
export interface Plot {
  directive: { title: string; body: string };
  /** Of the scripted model. */
  script: string;
  /** The person's acts at the end of the run; without it the story is over. */
  after?(forge: Forge): Promise<Seen['next']>;
}
/** The demo's. */
export const samplePlot: Plot = {
  directive: { title: heading.replace(/^# /, ''), body: rest.join('\n').trim() },
  script: readFileSync(join(sample, 'script.json'), 'utf8'),
};

/** A story that takes longer than this (milliseconds) hangs. */
const PATIENCE = 300_000;

export interface StoryOptions {
  /** Of forge, mirrors and jobs. */
  folder: string;
  /** The git repository that the forge's is cloned from. */
  source: string;
  path: string;
  plot?: Plot;
  onCall: NonNullable<ForgeOptions['onCall']>;
  /** Receives the App's messages to its operator. */
  log(line: string): void;
}

/** Opens forge and App on a folder, as the start of the process does. */
export const openStory = ({
  folder,
  source,
  path,
  plot = samplePlot,
  onCall,
  log,
}: StoryOptions): Promise<Local> =>
  openLocal({
    folder,
    repository: { ...place, from: source },
    person,
    logLevel: 'fatal',
    onCall,
    installations: {
      model: { provider: 'scripted', script: plot.script, file: 'script.json' },
      secrets: [],
      host: { path, allows: { isolationNone: false, network: false } },
      log,
      debug: true,
    },
  });

/**
 * Plays from wherever the forge stands to the end of the run. The person looks at what is there and does what is
 * missing; `idle` is called before each of their actions and at the end, when the App has nothing to do.
 * Throws when the run does not come to its end.
 */
export async function playOn(local: Local, idle: () => void = () => {}, plot = samplePlot): Promise<void> {
  const { forge, installations } = local;
  let heard = 0;
  let wake = () => {};
  const off = installations.bus.on(() => {
    heard += 1;
    wake();
  });
  const late = Date.now() + PATIENCE;
  try {
    // A process that has started again may have nothing left to do but to show the board, which is no event.
    await installations.idle();
    for (;;) {
      const before = heard;
      const { next, board } = await look(forge, plot);
      if (next === 'end') break;
      if (next !== 'wait') {
        await installations.idle();
        idle();
        await next();
      } else if (heard === before) {
        await new Promise<void>((resolve, reject) => {
          const hangs = () => reject(new Error(`the run does not come to its end; its board is\n${board}`));
          const timer = setTimeout(hangs, late - Date.now());
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    }
  } finally {
    off();
  }
  await forge.webhooksSettled();
  await installations.idle();
  idle();
}

export interface Seen {
  /** The person's next act, if it is their turn. */
  next: 'wait' | 'end' | (() => Promise<unknown>);
  board: string;
}

/** State of a plot's run, for the person who plays it. */
export async function look(forge: Forge, { directive, after }: Plot): Promise<Seen> {
  const at = `/repos/${place.owner}/${place.name}/issues`;
  const write = (path: string, body: object) => () => forge.call(person, 'POST', `${at}${path}`, body);
  const issue = (await issuesOf(forge)).find(each => each.title === directive.title);
  if (!issue) return { next: write('', directive), board: '' };
  const own = `/${issue.number}`;
  if (issue.labels.length === 0) return { next: write(`${own}/labels`, { labels: ['echelon'] }), board: '' };
  const comments = await commentsOn(forge, issue.number);
  const [board = ''] = comments.map(({ body }) => body).filter(isBoard);
  if (['completed', 'failed', 'cancelled'].includes(statusOf(board)))
    return { next: after ? await after(forge) : 'end', board };
  const listing = comments.findLastIndex(({ body }) => body.startsWith('### Approve? '));
  const approved = comments.slice(listing + 1).some(({ user }) => user.login === person);
  const waits = listing >= 0 && !approved && statusOf(board).startsWith('waiting');
  return { next: waits ? write(`${own}/comments`, { body: '/approve' }) : 'wait', board };
}
