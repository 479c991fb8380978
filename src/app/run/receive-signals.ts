// External input since the journal was written: commands in comments, and reports of jobs.
import { type Json, messageOf, ofJobs, type SharedWait } from '@echelon/ground';
import type { Entry } from '@echelon/ground/journal';
import type { Command } from '../commands/command.ts';
import { type GivenCommand, type ParsedComment, spoken } from '../commands/parse.ts';
import { changingRow, commands } from '../commands/table.ts';
import type { AnyJobReport } from '../engineer/jobs/report-spec.ts';
import type { AnyJobSpec } from '../engineer/jobs/job-spec.ts';
import { failedReport, type Jobs } from '../engineer/jobs/jobs.ts';
import { baseTestsSignalName, jobSignalName } from '../engineer/slots/context.ts';
import { type Permission, type Repository, suffices } from '../github/repository.ts';
import type { Comment, Thread } from '../github/thread.ts';
import { ModelFailure, ProviderWait } from '../../engine/models.ts';
import { readOrigin } from './run-journal.ts';

export interface Delivery {
  id: string;
  name: string;
  value: Json;
}

/** Comments that may hold commands: by people, unedited, not hidden, in the order of their ids. */
export const spokenIn = (thread: Thread, after: number): (Comment & ParsedComment)[] =>
  thread.comments
    .filter(comment => comment.id > after && !comment.bot && comment.editedBy === null && !comment.hidden)
    .sort((a, b) => a.id - b.id)
    .map(spoken);

/** A command of a comment as the signal it becomes. */
export const signalOf = (
  { name, line, ...said }: GivenCommand,
  { id, author }: Pick<Comment, 'id' | 'author'>,
  on?: number,
): Delivery => ({
  id: `c${id}-${line}`,
  name,
  value: { ...said, by: author, comment: id, ...(on !== undefined && { on }) },
});

/** The newest comment before a label. GitHub dates both by the second: what a run before took in is older, too. */
export function lastBefore(
  { comments }: Pick<Thread, 'comments'>,
  at: number,
  before: readonly Entry[],
): number {
  const second = Math.floor(at / 1000) * 1000;
  const older = comments.filter(({ createdAt }) => createdAt < second).map(({ id }) => id);
  const taken = before.flatMap(entry =>
    entry.t === 'signal' && changingRow(entry.name) ? readOrigin(entry).comment : [],
  );
  return Math.max(0, ...older, ...taken);
}

/** Threads with the commands of a run. */
export interface Said {
  directive: Thread;
  /** Sub-issues and pull requests of the run. */
  parts: readonly Thread[];
}

/**
 * Commands that change the run, by people who may give them, as signals, in the order in which they were written. Asks
 * for each author's permission once.
 */
export async function commandSignals(
  { directive, parts }: Said,
  after: number,
  github: Repository,
  known: (id: string) => boolean,
) {
  const found: Delivery[] = [];
  const permissions = new Map<string, Permission>();
  const all = [directive, ...parts]
    .flatMap(thread => spokenIn(thread, after).map(comment => ({ comment, thread })))
    .sort((a, b) => a.comment.id - b.comment.id);
  for (const { comment, thread } of all)
    for (const command of comment.commands) {
      const row: Command = commands[command.name];
      if (row.kind !== 'changes') continue;
      const { who } = row;
      const on = thread === directive ? undefined : thread.number;
      if (on !== undefined && !row.anywhere) continue;
      const signal = signalOf(command, comment, on);
      if (known(signal.id)) continue;
      let permission = permissions.get(comment.author);
      if (permission === undefined) {
        permission = await github.permission(comment.author);
        permissions.set(comment.author, permission);
      }
      if (suffices(permission, who)) found.push(signal);
    }
  return found;
}

/**
 * Starts the jobs that are outstanding, and answers the reports of those that have ended. A job that was lost is
 * started again without counting an attempt; one that can be neither read nor started is a failed attempt. `provider`:
 * what a job was asked to wait holds for all that have not begun. Throws ProviderWait.
 */
export async function jobSignals(
  outstanding: ReadonlyMap<string, AnyJobSpec>,
  jobs: Jobs,
  provider: SharedWait,
): Promise<Delivery[]> {
  const found: Delivery[] = [];
  let wait: ProviderWait | undefined;
  for (const [op, spec] of outstanding) {
    const report = await reportOf(spec, jobs, provider).catch((error: unknown) => {
      const feedback = `the job could not be started or read: ${messageOf(error)}`;
      const { isolation } = spec;
      if (!(error instanceof ProviderWait)) return failedReport({ class: 'error', feedback }, { isolation });
      wait = error;
      return undefined;
    });
    const name = 'kind' in spec && spec.kind === 'base-tests' ? baseTestsSignalName : jobSignalName;
    if (report) found.push({ id: `job-${op}`, name, value: { op, report } });
  }
  // Reports of ended jobs are taken in first.
  if (wait && found.length === 0) throw wait;
  return found;
}

async function reportOf(
  spec: AnyJobSpec,
  jobs: Jobs,
  provider: SharedWait,
): Promise<AnyJobReport | undefined> {
  const state = await jobs.read(spec);
  if (state.state === 'finished') {
    const { report } = state;
    if (report.kind === 'failed' && report.until !== undefined) provider.extend(report.until);
    return report;
  }
  // With a fallback model there is nothing to wait for; tests ask no model.
  const waits =
    !('kind' in spec) && !Array.isArray(spec.models['engineer.director'] ?? spec.models['default']);
  const until = state.state !== 'living' && waits ? provider.until(ofJobs) : undefined;
  if (until !== undefined)
    throw new ProviderWait(until, new ModelFailure('rate_limit', 'no job starts before'));
  // Starting one that lives already watches it, so that its end is noticed after a restart too.
  await jobs.start(spec);
  return undefined;
}
