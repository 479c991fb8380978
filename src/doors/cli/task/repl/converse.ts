// The REPL as a dialogue with a person at a terminal.
import { EntryReader } from './entry.ts';
import { type Outcome, outcomeText } from './outcome.ts';
import { EntryCancelled, type Repl } from './repl.ts';
import type { Terminal } from './terminal.ts';

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
