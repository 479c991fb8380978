// A call of a tool that is not ours: it takes a limited time and answers a limited text, and what it throws tells the
// model one masked sentence.
import { messageOf, race, shortened } from '@echelon/ground';
import { ToolRefusal } from '../../language/tool.ts';
import { cut } from './search.ts';

export interface OutsideCall {
  /** As the model knows the tool. */
  name: string;
  ms: number;
  mask: (text: string) => string;
  signal: AbortSignal;
}

/** Characters of an error that the model is told. */
const MAX_ERROR = 2000;

/**
 * What `work` answers, cut to what an answer may hold. Its signal aborts with the call's, and when the time is up; work
 * that goes on all the same is left alone. Throws ToolRefusal, and the signal's reason when that aborts.
 */
export async function outsideCall(
  { name, ms, mask, signal }: OutsideCall,
  work: (signal: AbortSignal) => Promise<string>,
): Promise<string> {
  const time = AbortSignal.timeout(ms);
  const both = AbortSignal.any([signal, time]);
  both.throwIfAborted();
  try {
    return cut(mask(await race(work(both), both)));
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (time.aborted) throw new ToolRefusal(`${name}: took longer than ${ms / 1000} s and was ended`);
    if (error instanceof ToolRefusal) throw new ToolRefusal(shortened(mask(error.message), MAX_ERROR));
    throw new ToolRefusal(shortened(mask(`${name} failed: ${messageOf(error)}`), MAX_ERROR));
  }
}
