// Time of a trivial program in the sandbox, cold and warm, compared with bare QuickJS.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Figure, type Report, rounded } from './figures.ts';
import { type Contestant, interleaved } from './measure.ts';
import type { SandboxSubject } from './subjects/sandbox.ts';

/** Milliseconds. */
const AIM = { cold: 120, warm: 10 };
const BUDGET_MS = 60_000;
/** A process that takes longer is given up, in milliseconds. */
const LIMIT_MS = 15_000;

interface Subject {
  name: string;
  subject: SandboxSubject;
  /** Programs that one process runs; its result is their median. */
  times: number;
}

const cold: Subject = { name: 'trivial program in a cold sandbox', subject: 'cold', times: 1 };
const warm: Subject = { name: 'trivial program in a warm sandbox', subject: 'warm', times: 11 };
/** As the sandbox is held against them: the first worker of a process, and any. */
const firstWorker: Subject = { name: 'bare QuickJS, first worker', subject: 'worker', times: 1 };
const worker: Subject = { name: 'bare QuickJS, fresh worker', subject: 'worker', times: 11 };
const inside: Subject = { name: 'bare QuickJS without a worker', subject: 'inside', times: 51 };

const module = fileURLToPath(new URL('subjects/sandbox.ts', import.meta.url));

export async function sandbox(): Promise<Report> {
  const subjects = [cold, firstWorker, warm, worker, inside];
  const { medians, failed } = await interleaved(subjects.map(contestant), BUDGET_MS);
  const of = ({ name }: Subject) => {
    const ms = medians.get(name);
    return ms === undefined ? null : rounded(ms);
  };
  const figure = (subject: Subject, against: Subject, aim?: number): Figure => {
    const value = of(subject);
    return {
      name: subject.name,
      value,
      unit: 'ms',
      baseline: { name: against.name, value: of(against) },
      aim: aim === undefined ? '' : `<= ${aim} ms`,
      ok: aim === undefined || (value !== null && value <= aim),
    };
  };
  return {
    figures: [
      figure(cold, firstWorker, AIM.cold),
      figure(warm, worker, AIM.warm),
      // The lower bound of any sandbox.
      figure(inside, worker),
    ],
    notes: [...failed].map(([name, reason]) => `not available: ${name}: ${reason}`),
  };
}

/** Each measurement is a process of its own: what one has loaded and compiled makes the next one warmer. */
function contestant({ name, subject, times }: Subject): Contestant {
  return {
    name,
    async measure() {
      const { stdout } = await promisify(execFile)(process.execPath, [module, subject, String(times)], {
        timeout: LIMIT_MS,
        env: { PATH: process.env['PATH'] },
      });
      const found: { ms: number } = JSON.parse(stdout);
      return found.ms;
    },
  };
}
