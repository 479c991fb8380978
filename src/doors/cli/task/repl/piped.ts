// The REPL over entries that come without a person: each is carried out when it is whole, and told in turn.
import { addAbortSignal, type Readable } from 'node:stream';
import { EntryReader, type Whole } from './entry.ts';
import { hasFailed, type Outcome } from './outcome.ts';
import type { Repl } from './repl.ts';

/** Answers whether all entries were good. `tell` gets each with what came of it. Throws the reason of `signal`. */
export async function takeEntries(
  repl: Repl,
  input: Readable,
  tell: (outcome: Outcome, entry: Whole) => Promise<void>,
  signal: AbortSignal,
): Promise<boolean> {
  const entries = new EntryReader();
  let isGood = true;
  /** False where it was the last one. */
  const carryOut = async (entry: Whole): Promise<boolean> => {
    const outcome = await repl.enter(entry, signal);
    if (hasFailed(outcome)) isGood = false;
    await tell(outcome, entry);
    return outcome.kind !== 'left';
  };
  try {
    for await (const line of linesOf(addAbortSignal(signal, input))) {
      if (entries.isBegun && line.trim() === ':cancel') {
        entries.take();
        continue;
      }
      const whole = entries.add(line);
      if (whole && !(await carryOut(whole))) return isGood;
    }
    // What is not closed says so itself when it is read.
    const last = entries.take();
    if (last) await carryOut(last);
    return isGood;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

/** Throws a plain Error for bytes that are no UTF-8. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decoded = (bytes: Uint8Array | undefined): string => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch (cause) {
      throw new Error('standard input is not UTF-8 text; save it as UTF-8', { cause });
    }
  };
  /** Pieces of a line whose end has not come. */
  let begun: string[] = [];
  for await (const bytes of input as AsyncIterable<Uint8Array>) {
    const [first = '', ...more] = decoded(bytes).split('\n');
    begun.push(first);
    for (const piece of more) {
      yield lineOf(begun);
      begun = [piece];
    }
  }
  begun.push(decoded(undefined));
  const rest = lineOf(begun);
  if (rest !== '') yield rest;
}

const lineOf = (pieces: readonly string[]): string => pieces.join('').replace(/\r$/, '');
