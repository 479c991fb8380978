// An attempt that waits for an answer: what its job leaves in its folder, so that another one can go on with it.
import { z } from 'zod';
import type { Json } from '../../lib/json.ts';
import type { KeptSteps } from '../../journal/kept-steps.ts';
import { onlyAnswered } from '../../engine/reasoning/asking.ts';
import type { SessionState } from '../../engine/reasoning/state.ts';
import { readBounded } from '../../workspace/bundle.ts';
import { writeWhole } from '../../workspace/job-process.ts';

const FILE = 'session.json';
/** Bytes of the file: a conversation with its vault, and what earlier rounds ended with. */
const MAX_BYTES = 1 << 20;
/** Characters of a script's output that are kept, where all of it would be too much: it was judged already. */
const MAX_OUTPUT = 4000;

const isPaused = z.looseObject({
  version: z.literal(1),
  status: z.literal('paused'),
  messages: z.array(z.looseObject({ role: z.string(), content: z.array(z.looseObject({})) })).min(1),
  activeMs: z.number().nonnegative(),
  pending: z.looseObject({ question: z.string(), parts: z.array(z.looseObject({})) }),
});
// Written by a session of ours; what else may have written it could do no more than the job itself.
const PausedState = z.custom<SessionState>(value => isPaused.safeParse(value).success, 'no paused session');

const Paused = z.strictObject({
  version: z.literal(1),
  /** Key of the session that asks. */
  session: z.string(),
  state: PausedState,
  /** As in `Asking`. */
  answered: z.record(z.string(), z.strictObject({ state: PausedState, answer: z.string().optional() })),
  /** What was finished of the program before. */
  steps: z.record(
    z.string(),
    z.custom<Json>(value => value !== undefined),
  ),
  rounds: z.int().nonnegative(),
  /** Whether `changes.patch` stands beside it. */
  changes: z.boolean(),
});
export type Paused = z.infer<typeof Paused>;

/**
 * False where it is too large to be kept. Outputs of scripts go first, then the sessions that asked beside the one
 * that asks.
 */
export async function leavePaused(folder: string, paused: Omit<Paused, 'version'>): Promise<boolean> {
  const short = { ...paused, steps: withoutOutput(paused.steps) };
  for (const each of [paused, short, onlyAnswered(short)]) {
    const text = JSON.stringify({ version: 1, ...each } satisfies Paused);
    if (Buffer.byteLength(text) > MAX_BYTES) continue;
    await writeWhole(folder, FILE, text);
    return true;
  }
  return false;
}

/** Undefined where there is nothing that can be gone on with. */
export async function readPaused(folder: string): Promise<Paused | undefined> {
  const bytes = await readBounded(folder, FILE, MAX_BYTES);
  if (!Buffer.isBuffer(bytes)) return undefined;
  try {
    return Paused.safeParse(JSON.parse(bytes.toString('utf8'))).data;
  } catch {
    return undefined;
  }
}

function withoutOutput(steps: KeptSteps): KeptSteps {
  const shortened = (value: Json, name: string): Json => {
    if (typeof value === 'string' && (name === 'stdout' || name === 'stderr'))
      return value.slice(-MAX_OUTPUT);
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([each, inner]) => [each, shortened(inner, each)]));
  };
  return Object.fromEntries(Object.entries(steps).map(([key, value]) => [key, shortened(value, key)]));
}
