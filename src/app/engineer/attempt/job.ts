// One attempt at one issue, carried out in a process of its own: checkout, program, bundle, report. Holds no token.
import { z } from 'zod';
import { deadline, type Deadline, type Json, messageOf } from '@echelon/ground';
import {
  appendTo,
  bundleOf,
  chooseIsolation,
  type Isolation,
  jobFiles,
  restoreChanges,
} from '@echelon/ground/workspace';
import { createLibrary, emptyLibrary, type Library, readTemplate } from '../../../engine/language.ts';
import { formatProblem } from '../../../engine/texts.ts';
import { setupRemedy } from '../../comments/base-tests.ts';
import { evaluate, SessionPaused } from '../../../engine/engine.ts';
import {
  type AttemptJournal,
  attemptState,
  folderBeside,
  NoChanges,
  openAttemptJournal,
} from './attempt-journal.ts';
import { evaluateOptions, signOfLife } from './evaluation.ts';
import { openGrounded, SetupFailed } from './ground.ts';
import { hostsOf } from '../project/network-hosts.ts';
import { failedReport } from '../jobs/jobs.ts';
import { behindFirst, type JobHost, memoryOf, type Workplace } from './workplace.ts';
import { issueInputs, type Taken } from './issue-inputs.ts';
import { FEEDBACK, factsOf, failure, hand, reportOf } from './job-report.ts';
import { type JobReport, MAX_QUESTION, type ThreadAnswer, threadName } from '../jobs/report-spec.ts';
import type { JobSpec } from '../jobs/job-spec.ts';

/** Carries the job out in `folder`. A failure of the attempt is a report; throws only what is none. */
export async function runJob(spec: JobSpec, folder: string, host: JobHost): Promise<JobReport> {
  const time = deadline(spec.limits.attempt_ms, host.clock, host.signal);
  const { signal } = time;
  try {
    // The parent chose it; a sandbox that has stopped working since must not be passed over in silence.
    const isolation = await chooseIsolation(spec.isolation, { secretsPresent: true });
    const opened = await openCheckout(spec, folder, { isolation, host, time }).catch((error: unknown) =>
      notInstalled(error, spec, time),
    );
    if ('kind' in opened) return opened;
    const { checkout, before, journal, taken } = opened;
    const { model: alone, used } = await host.openModel(journal.played.before);
    const model = spec.model.provider === 'scripted' ? alone : behindFirst(alone, spec.mirror, host.clock);
    journal.played.watch(used);
    const state = attemptState(journal, host.spentBefore);
    const hosts = await hostsOf({ ...spec, base: spec.setup?.base ?? spec.base });
    const attempt = { spec, folder, checkout, before, isolation, hosts, state, model, host, signal, time };
    return await work(attempt, taken)
      .catch(async (error: unknown) => {
        host.signal.throwIfAborted();
        return await reportOf(error, attempt);
      })
      .finally(async () => {
        journal.close();
        const left = await checkout.remove();
        if (left !== undefined) await appendTo(folder, jobFiles.log, `${left}\n`);
      });
  } finally {
    time.end();
  }
}

/** The report of a job that has nothing to start from; throws any other error. */
function notInstalled(error: unknown, { isolation }: JobSpec, time: Deadline): JobReport {
  if (!(error instanceof SetupFailed) && !time.expired()) throw error;
  const [kind, log_tail] = error instanceof SetupFailed ? ['setup', error.tail] : ['time', ''];
  const remedy =
    error instanceof SetupFailed ? `. ${setupRemedy}; then /cancel, and put the label on again` : '';
  return failedReport({ class: kind, feedback: `${messageOf(error)}${remedy}` }, { log_tail, isolation });
}

/** The report of an attempt that came to its end or asked the person; throws what else ends it. */
async function work(attempt: Workplace, taken: Taken): Promise<JobReport> {
  const { spec, checkout, before, state } = attempt;
  const library = libraryOf(spec);
  const name = spec.wanted ? 'follow-review' : 'implement-issue';
  const { program, problems } = readTemplate(library.get(name), library);
  if (!program) {
    const feedback = problems.map(formatProblem).join('; ').slice(0, FEEDBACK);
    return await failure(attempt, 'INVALID_INPUT', feedback);
  }
  const memory = memoryOf(checkout, spec.mirror, attempt.signal);
  const inputs = await issueInputs(attempt, memory, taken);
  const result = await evaluate(program, inputs, evaluateOptions(attempt, library, memory)).catch(asPaused);
  if (result instanceof SessionPaused) return await pause(result, attempt);
  const facts = factsOf(attempt, result.notes);
  const tree = state.tree ?? before;
  if (tree === before && !spec.wanted) throw new NoChanges(result.content);
  await hand(attempt, tree, facts);
  const done = { kind: 'bundle', ...facts, summary: result.content.slice(0, 20_000) } as const;
  if (!spec.wanted) return done;
  return { ...done, answers: answersOf(result.outputs['answers'], spec.wanted.threads.length) };
}

/** The first answer to each of the threads that were asked; what names none is dropped. */
function answersOf(given: Json | undefined, threads: number): ThreadAnswer[] {
  const { data = [] } = z.array(Answered).safeParse(given);
  return Array.from({ length: threads }, (_, index) => threadName(index)).flatMap(
    name => data.find(({ thread }) => thread === name) ?? [],
  );
}

/** As the program declares it; what is too long for a comment is cut. */
const Answered = z.object({
  thread: z.string(),
  done: z.boolean(),
  answer: z.string().transform(text => text.slice(0, 4000)),
});

/** A pause is an outcome, not an error. */
function asPaused(error: unknown): SessionPaused {
  if (error instanceof SessionPaused) return error;
  throw error;
}

/** After the answer the attempt continues from its journal, and from the bundle with its changes. */
async function pause({ key, question }: SessionPaused, attempt: Workplace): Promise<JobReport> {
  const { journal, rounds } = attempt.state;
  await journal.save();
  journal.asks(key);
  // The tests that ran are those of another tree.
  return {
    kind: 'question',
    ...factsOf(attempt),
    rounds,
    tests: null,
    question: question.slice(0, MAX_QUESTION),
  };
}

/**
 * A fresh checkout, `before` the tree of its commit. With the changes that are gone on from, where they fit; else the
 * attempt begins anew.
 */
async function openCheckout(
  spec: JobSpec,
  folder: string,
  { isolation, host, time }: { isolation: Isolation; host: JobHost; time: Deadline },
) {
  const { from, mirror, base: commit, setup, network } = spec;
  const { clock } = host;
  const { signal } = time;
  const open = () =>
    openGrounded(
      {
        ...{ mirror, commit, folder, isolation, network, ms: spec.limits.attempt_ms - time.elapsed() },
        ...(setup && { setup }),
      },
      { ...host, signal, onOutput: signOfLife(host) },
    );
  let checkout = await open();
  let journal: AttemptJournal | undefined;
  try {
    journal = await openAttemptJournal(spec, folder, clock);
    const before = await checkout.writeTree();
    const tree = journal.before?.tree;
    const earlier = from && from.answer === undefined ? folderBeside(folder, from.op) : undefined;
    const source =
      tree === undefined ? earlier : tree === before ? undefined : bundleOf(journal.folder, tree);
    const opened = { checkout, journal, before };
    if (source === undefined) return { ...opened, taken: 'fresh' as const };
    if (await restoreChanges(checkout, source, signal)) return { ...opened, taken: 'taken' as const };
    await checkout.remove();
    journal.close();
    checkout = await open();
    journal = await openAttemptJournal(spec, folder, clock, true);
    return { checkout, journal, before, taken: 'lost' as const };
  } catch (error) {
    journal?.close();
    await checkout.remove();
    throw error;
  }
}

/** The sources in their order: each overrides those before it by name. */
export const libraryOf = ({ library }: JobSpec): Library =>
  library.reduce((outer, sources) => createLibrary(sources, { outer }).library, emptyLibrary);
