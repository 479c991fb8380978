// Reads run comments in tests: recognizes one, and reads the run's state.

const heads: readonly (readonly [RegExp, string])[] = [
  [/^Waiting for you: \[?approve/, 'waiting: approval'],
  [/^Waiting for you: \[?make the tests run/, 'waiting: tests'],
  [/^Waiting for you: \[?answer/, 'waiting: question'],
  [/^Waiting for you: raise the limit/, 'waiting: budget'],
  [/^Waiting for (the model's provider, until \S+ \S+ UTC)/, 'waiting: '],
  [/^(?:Planning|Building)\b/, 'running'],
  [/^Done: /, 'completed'],
  [/^Failed: /, 'failed'],
  [/^Cancelled: /, 'cancelled'],
  [/^Paused/, 'paused'],
];

/** `waiting: approval`, `completed`: by the first line of a board; empty: it is none. */
export function statusOf(body: string): string {
  const [, head = ''] = /^### (.*)$/m.exec(body) ?? [];
  const [found, status] = heads.find(([pattern]) => pattern.test(head)) ?? [/^/, ''];
  return status + (found.exec(head)?.[1] ?? '');
}

/** Boards stand in run comments, and below the first words of an answer to `/status`. */
export const isBoard = (body: string): boolean => body.startsWith('### ') && statusOf(body) !== '';

/** The text without the folds that the bot makes of its own accord. */
export const withoutFolds = (text: string): string =>
  text.replace(
    /^<details>\n?<summary>(?:The text of no\. \d+|Layers and ids|(?:Strategist|Engineering lead|Team lead): [^<\n]*)<\/summary>$/gm,
    '',
  );
