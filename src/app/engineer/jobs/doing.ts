// Latest progress of this machine's jobs, as they report it: for the status comment, which is redrawn whenever
// something comes of the run, and each time that it is looked for what was missed.
import type { Clock } from '@echelon/ground';
import type { AnyJobSpec } from './job-spec.ts';
import type { JobProgress } from './report-spec.ts';

/** A job that has only begun is not worth a line, and a change of the board (milliseconds). */
const WORTH_MS = 30_000;

export type Doing = ReturnType<typeof doingOf>;

/** `works`: whether a job has not ended. Its last lines may be heard after its end. */
export function doingOf(clock: Pick<Clock, 'now'>, works: (op: string) => boolean) {
  const jobs = new Map<string, { directive: number; issue: number; since: number; did: string }>();
  return {
    heard(spec: AnyJobSpec, line: JobProgress): void {
      const did = wordsOf(line);
      if (did === undefined || !('issue' in spec)) return;
      const since = jobs.get(spec.op)?.since ?? clock.now();
      jobs.set(spec.op, { directive: spec.directive, issue: spec.issue.number, since, did });
    },
    /** `#7: ran the tests, which exited 1`, in the order of the issues. */
    of(directive: number): readonly string[] {
      for (const op of jobs.keys()) if (!works(op)) jobs.delete(op);
      return [...jobs.values()]
        .filter(job => job.directive === directive && clock.now() - job.since >= WORTH_MS)
        .sort((a, b) => a.issue - b.issue)
        .map(({ issue, did }) => `#${issue}: ${did}`);
    },
  };
}

/** In words of the program's own: what a model calls a tool that there is none of is not told. */
function wordsOf(line: JobProgress): string | undefined {
  const which = line.candidate === undefined ? '' : `candidate ${line.candidate} `;
  switch (line.type) {
    case 'model_reply':
      return `${which}${line.task} replied`;
    case 'tool_call':
      return line.ok ? `${which}used ${line.tool}` : undefined;
    case 'tests':
      return `${which}ran the tests, which exited ${line.exit_code ?? 'by a signal'}`;
    case 'round':
      return `${which}round ${line.round} was ${line.success ? '' : 'not '}accepted`;
    case 'output':
      return undefined;
  }
}
