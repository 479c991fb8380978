// One sitting: takes entries one after the other, each over what those before it left.
import { type Library, SOURCE_LIMIT } from '../../../../engine/language.ts';
import { enterExpression, enterProgram } from './carry-out.ts';
import { command, type CommandParts } from './commands.ts';
import { readEntry, type Whole } from './entry.ts';
import type { Outcome } from './outcome.ts';
import { emptyState, libraryOf, type State } from './state.ts';

export type Repl = ReturnType<typeof openRepl>;

/** Entries that can be taken back: what held before each of them is kept whole. */
const MOST_TAKEN_BACK = 100;

/** Ends an entry and not the REPL. */
export class EntryCancelled extends Error {}

export function openRepl(parts: CommandParts, begin: State = emptyState) {
  let state = begin;
  const past: State[] = [];
  let count = 0;

  const carriedOut = async (text: string, signal: AbortSignal) => {
    const entry = readEntry(text);
    const place = { state, file: `entry ${++count}`, signal };
    if (entry.kind === 'program') return await enterProgram(entry, place, parts);
    if (entry.kind === 'command')
      return command(entry.name, entry.rest, { ...place, before: past.at(-1) }, parts);
    return enterExpression(entry, place, parts);
  };

  return {
    /** After the entries so far. */
    get state(): State {
      return state;
    },
    get library(): Library {
      return libraryOf(state, parts.library);
    },
    /** Result of the entry. Throws only for reasons that end the whole session. */
    async enter(entry: Whole, signal: AbortSignal): Promise<Outcome> {
      if ('characters' in entry) {
        count++;
        const long = `the entry has ${entry.characters} characters; at most ${SOURCE_LIMIT} are read`;
        return { kind: 'problems', problems: [long], warnings: [] };
      }
      try {
        const done = await carriedOut(entry.text, signal);
        if (done.state === past.at(-1)) past.pop();
        else if (done.state !== state) {
          past.push(state);
          if (past.length > MOST_TAKEN_BACK) past.shift();
        }
        state = done.state;
        return done.outcome;
      } catch (error) {
        if (signal.aborted && signal.reason instanceof EntryCancelled)
          return { kind: 'cancelled', warnings: [] };
        signal.throwIfAborted();
        parts.failed(error);
        return { kind: 'failed', error, warnings: [] };
      }
    },
  };
}
