// The REPL as a dialogue with a person at a terminal.
import { EntryReader } from './entry.ts';
import { type Outcome, outcomeText } from './outcome.ts';
import { EntryCancelled, type Repl } from './repl.ts';
import type { Terminal } from './terminal.ts';

/** Characters of an answer that are shown at once; `:show` has all. */
const SHOWN = 20_000;

const prompts = { first: 'echelon> ', more: '    ...> ' };

/** Until the person leaves. `mask` takes secrets out of a text. Throws the reason of `signal`. */
export async function converse(
  repl: Repl,
  terminal: Terminal,
  {
    mask,
    interrupts,
    signal,
  }: {
    mask: (text: string) => string;
    /** SIGINT that does not come from the keyboard. */
    interrupts?: (act: () => void) => void;
    signal: AbortSignal;
  },
): Promise<void> {
  const entries = new EntryReader();
  let running: AbortController | undefined;
  let isBlank = false;
  /** Of a line: the prompt is another one when what was begun is dropped. */
  let asking = new AbortController();

  const drop = () => {
    if (entries.take()) terminal.show('dropped');
    isBlank = false;
  };
  const interrupt = (written: string) => {
    if (running) running.abort(new EntryCancelled('cancelled by Ctrl-C'));
    else {
      if (!entries.isBegun && written === '') terminal.show('Ctrl-D or :quit leaves');
      drop();
      asking.abort();
    }
  };
  terminal.onInterrupt(interrupt);
  interrupts?.(() => interrupt(''));

  const nextLine = async (): Promise<string | undefined> => {
    for (;;) {
      asking = new AbortController();
      try {
        const prompt = entries.isBegun ? prompts.more : prompts.first;
        return await terminal.line(prompt, AbortSignal.any([asking.signal, signal]));
      } catch (error) {
        signal.throwIfAborted();
        if (!asking.signal.aborted) throw error;
      }
    }
  };

  for (;;) {
    const line = await nextLine();
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
    if (text !== '') terminal.show(mask(text));
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
