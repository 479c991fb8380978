// Live output of sessions at the end of a terminal: the last lines of one, or one line each of several.
import type { TaskEvent } from '../../engine/engine.ts';
import { forTerminal, oneLine } from '../progress.ts';

/** A terminal. Its size may change. */
export interface Screen {
  write(text: string): unknown;
  columns?: number | undefined;
  rows?: number | undefined;
}

export type Live = ReturnType<typeof liveView>;

/** Lines that are shown at most. */
const LINES = 6;
/** Characters of a reply that are kept for showing. */
const KEPT = 4000;
/** The rule of thumb for English text; how many it were is told with the reply. */
const CHARACTERS_A_TOKEN = 4;

/** A session at work. */
interface Writing {
  task: string;
  /** Of the turn's reply, of all kinds. */
  characters: number;
  text: string;
  doing: string;
}

/** Draws on `screen`, and erases what it drew before it draws again. */
export function liveView(screen: Screen) {
  const sessions = new Map<string, Writing>();
  let drawn: string[] = [];
  let asides = 0;
  let over = false;

  const show = (before: string): void => {
    const lines = asides > 0 ? [] : linesOf([...sessions.values()], screen);
    const text = erased(drawn, screen) + before + lines.map(line => `\u001b[2m${line}\u001b[22m\n`).join('');
    drawn = lines;
    if (text !== '') screen.write(text);
  };
  return {
    event(event: TaskEvent): void {
      if (over) return;
      if (event.type === 'model_delta') {
        const { session, task } = event;
        const now = event.kind === 'restart' ? undefined : sessions.get(session);
        sessions.set(session, grown(now ?? { task, characters: 0, text: '', doing: 'begins again' }, event));
      } else if (event.type === 'iteration_start') sessions.delete(event.session);
      else if (event.type === 'session_state' && event.to !== 'active') sessions.delete(event.id);
      else return;
      show('');
    },
    /** Writes a line that stays. */
    line: (text: string): void => show(`${text}\n`),
    /** Shows nothing while `act` has the terminal. */
    async aside<T>(act: () => Promise<T>): Promise<T> {
      asides++;
      show('');
      try {
        return await act();
      } finally {
        asides--;
        show('');
      }
    },
    /** Leaves nothing of itself on the terminal, and shows nothing any more. */
    end(): void {
      over = true;
      sessions.clear();
      show('');
    },
  };
}

function grown(now: Writing, delta: TaskEvent & { type: 'model_delta' }): Writing {
  if (delta.kind === 'restart') return now;
  const characters = now.characters + delta.text.length;
  if (delta.kind === 'thinking') return { ...now, characters, doing: 'thinks' };
  if (delta.kind === 'tool') return { ...now, characters, doing: `calls ${oneLine(delta.name)}` };
  return { ...now, characters, doing: 'writes', text: (now.text + forTerminal(delta.text)).slice(-KEPT) };
}

function linesOf(sessions: readonly Writing[], { columns = 80, rows = 24 }: Screen): string[] {
  // The last column stays free: a terminal may go to the next line when it is written.
  const width = Math.max(1, columns - 1);
  const most = Math.max(1, Math.min(LINES, rows - 2));
  const [first, ...others] = sessions;
  if (!first) return [];
  if (others.length === 0 && first.doing === 'writes') return lastLines(first.text, width, most);
  const shown = sessions.length > most ? sessions.slice(0, most - 1) : sessions;
  const left = sessions.length - shown.length;
  return [
    ...shown.map((each, at) =>
      status(each, sessions.length > 1 ? `${at + 1}/${sessions.length} ` : '', width),
    ),
    ...(left > 0 ? [begins(`and ${left} more`, width)] : []),
  ];
}

/** `2/3 write writes, about 120 tokens: the last words`. */
function status({ task, doing, characters, text }: Writing, count: string, width: number): string {
  const tokens = Math.ceil(characters / CHARACTERS_A_TOKEN);
  const head = begins(`${count}${oneLine(task)} ${doing}, about ${tokens} tokens`, width);
  const words = ends(oneLine(text.slice(-2 * width)), width - widthOf(head) - 2);
  return words === '' ? head : `${head}: ${words}`;
}

/** The end of the text, in lines that fit. */
function lastLines(text: string, width: number, most: number): string[] {
  const lines: string[] = [];
  for (const line of text.trimEnd().split('\n').slice(-most)) {
    let rest = line.replaceAll('\t', '  ');
    do {
      const part = begins(rest, width);
      lines.push(part);
      rest = rest.slice(part.length);
    } while (rest !== '' && lines.length < KEPT);
  }
  return lines.slice(-most);
}

/** Goes back to the first line of `drawn`, which may fill more lines by now, and clears from there. */
function erased(drawn: readonly string[], { columns = 80 }: Screen): string {
  const rows = drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns)), 0);
  return rows === 0 ? '' : `\r\u001b[${rows}A\u001b[J`;
}

/** Columns, rather too many than too few: a line that is too long would stay when it is erased. */
const widthOf = (text: string): number => [...text].reduce((sum, char) => sum + columnsOf(char), 0);
const columnsOf = (char: string) => ((char.codePointAt(0) ?? 0) < 0x1100 ? 1 : 2);

/** As much of the beginning as fits, a character at least. */
function begins(text: string, width: number): string {
  let end = 0;
  let used = 0;
  for (const char of text) {
    used += columnsOf(char);
    if (used > width && end > 0) break;
    end += char.length;
  }
  return text.slice(0, end);
}

/** As much of the end as fits. */
function ends(text: string, width: number): string {
  let start = text.length;
  let used = 0;
  for (const char of [...text].reverse()) {
    used += columnsOf(char);
    if (used > width) break;
    start -= char.length;
  }
  return text.slice(start);
}
