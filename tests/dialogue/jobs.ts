// The folders of a dialogue's jobs: what is in them, and what a machine or a person may do to them.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export function jobsIn(folder: string) {
  const all = () => (existsSync(folder) ? readdirSync(folder) : []).map(op => join(folder, op));
  const running = () =>
    all().filter(job => existsSync(join(job, 'job.json')) && !existsSync(join(job, 'report.json')));
  /** The process of a job that is running. */
  function jobProcess(): number | undefined {
    for (const job of running()) {
      const file = join(job, 'pid.json');
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      if (text) return (JSON.parse(text) as { pid: number }).pid;
    }
    return undefined;
  }
  return {
    jobProcess,
    jobsRun: () => running().length > 0,
    /** Kills the job that is running, as a machine would that ran out of memory. True when there was one. */
    killJob(): boolean {
      const pid = jobProcess();
      if (pid === undefined) return false;
      process.kill(-pid, 'SIGKILL');
      return true;
    },
    /** The folders of engineers' jobs; the tests at the base have one too. */
    attemptFolders: (): string[] =>
      all().filter(job => {
        const spec = join(job, 'job.json');
        return existsSync(spec) && !('kind' in JSON.parse(readFileSync(spec, 'utf8')));
      }),
    /** The folders of all jobs are lost. */
    forgetJobs: () => rmSync(folder, { recursive: true, force: true }),
    /** Puts a text in the place of a file of every job that has one. */
    spoilJobs(name: string, text: string) {
      for (const job of all()) if (existsSync(join(job, name))) writeFileSync(join(job, name), text);
    },
  };
}
