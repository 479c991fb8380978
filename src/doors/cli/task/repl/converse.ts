// The REPL as a dialogue with a person at a terminal, or over entries that come without one.
import { EntryReader, type Whole } from './entry.ts';
import { type Outcome, outcomeText, hasFailed } from './outcome.ts';
import { EntryCancelled, type Repl } from './repl.ts';
import type { Terminal } from './terminal.ts';
import { addAbortSignal, type Readable } from 'node:stream';

/** Characters of an answer that are shown at once; `:show` has all. */
const SHOWN = 20_000;

/** Until the person leaves. Throws the reason of `signal`. */
export async function converse(repl: Repl, terminal: Terminal, signal: AbortSignal): Promise<void> {
  const entries = new EntryReader();
  let running: AbortController | undefined;
  let isBlank = false;

  const drop = () => {
    if (entries.take()) terminal.show('dropped');
    isBlank = false;
  };
  terminal.onInterrupt(written => {
    if (running) running.abort(new EntryCancelled('cancelled by Ctrl-C'));
    else if (entries.isBegun) drop();
    else if (written === '') terminal.show('Ctrl-D or :quit leaves');
  });

  for (;;) {
    const line = await terminal.line(() => (entries.isBegun ? '    ...> ' : 'echelon> '), signal);
    if (line === undefined) return drop();
    const wasBlank = isBlank;
    isBlank = line.trim() === '';
    // One empty line may be part of what is pasted.
    if (entries.isBegun && (line.trim() === ':cancel' || (isBlank && wasBlank))) {
      drop();
      continue;
    }
    const whole = entries.add(line);
    if (!whole) continue;
    running = new AbortController();
    const outcome = await repl.enter(whole, AbortSignal.any([running.signal, signal]));
    running = undefined;
    if (outcome.kind === 'left') return;
    const text = outcomeShown(outcome);
    if (text !== '') terminal.show(text);
  }
}

function outcomeShown(outcome: Outcome): string {
  const { answer, told } = outcomeText(outcome);
  const isWhole = answer === undefined || answer.length <= SHOWN || outcome.kind === 'told';
  const shown = isWhole
    ? answer
    : `${answer.slice(0, SHOWN).toWellFormed()}\n(${answer.length - SHOWN} more characters: bind it to a name, and :show that)`;
  return [shown, told].filter(each => each !== undefined && each !== '').join('\n');
}

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
    // An unclosed entry is reported when it is read.
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
