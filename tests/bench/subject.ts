// The two ends of a subject: a module measured in a process of its own, so that none disturbs another.
import { fork } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { messageOf } from '../../packages/ground/lib/message.ts';

/** Type of a subject module's default export. */
export type Prepare = (scenario: unknown, kit: Kit) => Prepared | Promise<Prepared>;

export interface Kit {
  /** Stands for the work of a step, and is done at once; every call is counted. */
  instant(): Promise<string>;
  /** Appends the entry, as a line of JSON, to a file: written when it returns, not synced to the disk. */
  journal(entry: object): void;
}

export interface Prepared {
  /** Number of steps, or bytes, in one run. */
  units: number;
  /** Number of calls of `instant` that one run has to make: a subject that skips its work is not fast. */
  calls: number;
  run(): Promise<void> | void;
}

interface Order {
  scenario: unknown;
  ms: number;
}
type Answer = { us: number } | { error: string };

/** A measurement that takes longer is given up, in milliseconds: all of them have to fit into minutes. */
const LIMIT_MS = 8_000;
/** Minimum duration of a measurement, in milliseconds; a warm-up takes twice as long. */
const MEASURE_MS = 100;
/** Time that a subject runs before it is timed if it waited for its turn, in milliseconds. */
const LEAD_IN_MS = 20;

/** A running subject. */
export class Subject {
  readonly name: string;
  readonly #module: string;
  #child: ReturnType<typeof fork> | undefined;
  #complaint = '';

  /** `module`: a file in `subjects/`. Its process is started by the first measurement. */
  constructor(name: string, module: string) {
    this.name = name;
    this.#module = fileURLToPath(new URL(`subjects/${module}`, import.meta.url));
  }

  /** Microseconds a unit, the mean over runs that take 0.1 s together. Throws what the subject failed with. */
  async measure(scenario: unknown, warm: boolean): Promise<number> {
    const child = (this.#child ??= this.#start());
    const answer = await new Promise<Answer>((resolve, reject) => {
      const fail = (reason: string) => {
        clearTimeout(timer);
        this.close();
        reject(new Error(reason));
      };
      const ended = () =>
        fail(`its process ended: ${this.#complaint.trim().slice(-300) || 'without a word'}`);
      const timer = setTimeout(() => fail(`it took longer than ${LIMIT_MS / 1000} s`), LIMIT_MS);
      child.once('exit', ended);
      child.once('message', message => {
        clearTimeout(timer);
        child.off('exit', ended);
        resolve(message as Answer);
      });
      const order: Order = { scenario, ms: warm ? MEASURE_MS * 2 : MEASURE_MS };
      child.send(order, error => {
        if (error) fail(`its process is gone: ${error.message}`);
      });
    });
    if ('error' in answer) throw new Error(answer.error);
    return answer.us;
  }

  close(): void {
    this.#child?.removeAllListeners();
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  #start(): ReturnType<typeof fork> {
    const child = fork(fileURLToPath(import.meta.url), [this.#module], {
      // Nothing of the caller's: neither keys nor a wish to trace reaches a peer.
      env: {
        PATH: process.env['PATH'],
        HOME: tmpdir(),
        NODE_ENV: 'production',
        MASTRA_TELEMETRY_DISABLED: '1',
        LANGSMITH_TRACING: 'false',
      },
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#complaint = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#complaint = (this.#complaint + chunk.toString('utf8')).slice(-2000);
    });
    return child;
  }
}

/** The child's end: loads the module and answers orders until the parent is gone. */
async function serve(module: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-bench-'));
  const file = openSync(join(folder, 'journal.jsonl'), 'a');
  process.on('disconnect', () => process.exit());
  process.on('exit', () => {
    closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  });
  let calls = 0;
  const kit: Kit = {
    instant: async () => {
      calls++;
      return 'done';
    },
    journal: entry => {
      writeSync(file, `${JSON.stringify(entry)}\n`);
    },
  };
  /** `slow`: one run is as long as a measurement, and needs nothing run before it. */
  const prepared = new Map<string, Prepared & { slow: boolean }>();
  const loaded: Promise<{ default: Prepare }> = import(pathToFileURL(module).href);

  async function answer({ scenario, ms }: Order): Promise<Answer> {
    const key = JSON.stringify(scenario);
    const known = prepared.get(key);
    if (known) {
      if (!known.slow) await timed(known, LEAD_IN_MS);
      return { us: await timed(known, ms) };
    }
    const subject = await (await loaded).default(scenario, kit);
    calls = 0;
    const first = await timed(subject, 0);
    if (calls !== subject.calls) throw new Error(`it made ${calls} calls instead of ${subject.calls}`);
    const slow = first * subject.units > ms * 1000;
    prepared.set(key, { ...subject, slow });
    return { us: slow ? first : await timed(subject, ms) };
  }

  /** Microseconds a unit over as many runs as fill `ms`, at least one. */
  async function timed({ run, units }: Prepared, ms: number): Promise<number> {
    ftruncateSync(file);
    const begin = performance.now();
    for (let runs = 1; ; runs++) {
      await run();
      const elapsed = performance.now() - begin;
      if (elapsed >= ms) return (elapsed * 1000) / (runs * units);
    }
  }

  process.on('message', (order: Order) => {
    answer(order)
      .catch((error: unknown): Answer => ({ error: messageOf(error) }))
      .then(
        each => process.send?.(each),
        () => process.exit(1),
      );
  });
}

const [, self, module] = process.argv;
if (self === fileURLToPath(import.meta.url) && module !== undefined) await serve(module);
