// Bytes of heap a step costs that stay; a process of its own, started with --expose-gc. Prints one line of JSON.
import { evaluateAtOnce, programOf } from './surroundings.ts';

export interface Memory {
  /** Bytes a step that a sequence of 20,000 holds on to while it runs. */
  held: number;
  /** Bytes a step that are left when programs of 10 steps are done. */
  left: number;
}

/** Without a name a step binds nothing. */
const source =
  '<task type="sequential"><steps><task><instructions>Go on.</instructions></task></steps></task>';
const FEW = 1_000;
const MANY = 20_000;

/** Runs so many steps; `work` is called in each. */
type Run = (steps: number, work: () => Promise<string>) => Promise<void>;

const subjects: Record<string, Run> = {
  async echelon(steps, work) {
    const program = programOf(source);
    if (program.type !== 'sequential') throw new TypeError('a sequence was read as something else');
    // The same step over and over: the program itself does not grow.
    const [step] = program.steps;
    await evaluateAtOnce({ ...program, steps: Array.from({ length: steps }, () => step!) }, work);
  },
  async plain(steps, work) {
    let before = '';
    for (let step = 0; step < steps; step++) before = await work();
    if (before === '') throw new Error('no step was made');
  },
};

/** Bytes in use once everything that nobody holds is gone. */
function heap(): number {
  if (!globalThis.gc) throw new Error('start it with --expose-gc');
  globalThis.gc();
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

async function measure(run: Run): Promise<Memory> {
  const instant = async () => 'done';
  for (let warm = 0; warm < 3; warm++) await run(FEW, instant);
  return { held: await held(run), left: await left(run, instant) };
}

async function held(run: Run): Promise<number> {
  let step = 0;
  let early = 0;
  let late = 0;
  await run(MANY, async () => {
    step++;
    if (step === FEW) early = heap();
    if (step === MANY) late = heap();
    return 'done';
  });
  if (early === 0 || late === 0) throw new Error(`only ${step} of ${MANY} steps were made`);
  return (late - early) / (MANY - FEW);
}

async function left(run: Run, instant: () => Promise<string>): Promise<number> {
  const many = async (steps: number) => {
    for (let done = 0; done < steps; done += 10) await run(10, instant);
    return heap();
  };
  // Compilation by the engine must not count for a step.
  await many(MANY);
  const early = await many(FEW);
  return ((await many(MANY - FEW)) - early) / (MANY - FEW);
}

const run = subjects[process.argv[2] ?? ''];
if (!run) throw new Error(`a subject is one of ${Object.keys(subjects).join(', ')}`);
console.log(JSON.stringify(await measure(run)));
