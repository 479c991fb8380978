// `npm start`: with an App's credentials the App for GitHub, without them the local forge with the App on it and its pages.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { InUse, lock } from '../../workspace/lock.ts';
import type { Settings } from '../settings.ts';
import { planServe, type Running, serveHelp } from './serve-plan.ts';

/** How often open runs are looked at, whether or not an event came (milliseconds). */
const RECONCILE_MS = 60_000;
/** Every so many times also runs that wait or are over. */
const THOROUGH = 10;

export async function serve(argv: string[], settings: Settings): Promise<number> {
  const planned = await planServe(argv, settings);
  if ('help' in planned) {
    console.log(serveHelp);
    return 0;
  }
  if ('problems' in planned) {
    for (const problem of planned.problems) console.error(problem);
    console.error('\nnpm start -- --help lists the options.');
    return 2;
  }
  const { server, parts, data } = planned.plan;
  mkdirSync(data, { recursive: true, mode: 0o700 });
  let unlock: () => void;
  try {
    unlock = lock(join(data, 'lock'), `--data ${data}`);
  } catch (error) {
    if (!(error instanceof InUse)) throw error;
    console.error(error.message);
    return 2;
  }
  try {
    // Loaded only now: wrong options are answered before Probot and the forge are.
    const running = server.app
      ? await (await import('./serve-app.ts')).serveApp(planned.plan, server.app, settings.stateKeys)
      : await (await import('./serve-forge.ts')).serveForge(planned.plan);
    await untilEnded(running, parts.log);
  } finally {
    unlock();
  }
  return 0;
}

/** Looks at open runs now and then, until the process is to end; closes what runs then. */
async function untilEnded(running: Running, log: (line: string) => void): Promise<void> {
  let tick = 0;
  const timer = setInterval(
    () => void running.reconcile(++tick % THOROUGH === 0).catch(error => log(`reconcile: ${String(error)}`)),
    RECONCILE_MS,
  );
  await new Promise<void>(done => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => done());
  });
  clearInterval(timer);
  console.log('stopping; jobs that run go on and are found again at the next start');
  await running.close();
}
