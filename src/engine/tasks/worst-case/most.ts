// Upper bounds of what model calls come to, and how those of parts make up that of a whole.

/** One call, at most. NaN: not known, as a window or a price is not. */
export interface MostOfCall {
  input_tokens: number;
  output_tokens: number;
  cost_usd: number;
}

/** Several calls, at most. Sums of what is not known are not known either: NaN. */
export interface Most extends MostOfCall {
  calls: number;
  /** The largest of them, each figure by itself. */
  each: MostOfCall;
  /** How many may be under way at a time. */
  atOnce: number;
}

const figures = ['input_tokens', 'output_tokens', 'cost_usd'] as const;

const byFigure = (of: (figure: (typeof figures)[number]) => number): MostOfCall => ({
  input_tokens: of('input_tokens'),
  output_tokens: of('output_tokens'),
  cost_usd: of('cost_usd'),
});

const noCall = byFigure(() => 0);

export const nothing: Most = { ...noCall, calls: 0, each: noCall, atOnce: 0 };

/** The larger of each figure. */
export const largest = (calls: readonly MostOfCall[]): MostOfCall =>
  byFigure(figure => Math.max(0, ...calls.map(each => each[figure])));

/** One call that may be followed by another in its place: what each comes to is paid. */
export const sumOf = (calls: readonly MostOfCall[]): MostOfCall =>
  byFigure(figure => calls.reduce((sum, each) => sum + each[figure], 0));

/** A conversation of so many calls. */
export const callsOf = (calls: number, each: MostOfCall): Most =>
  calls === 0 ? nothing : { ...byFigure(figure => calls * each[figure]), calls, each, atOnce: 1 };

/** One after the other. */
export const inTurn = (parts: readonly Most[]): Most => ({
  ...sumOf(parts),
  calls: parts.reduce((sum, { calls }) => sum + calls, 0),
  each: largest(parts.map(({ each }) => each)),
  atOnce: Math.max(0, ...parts.map(({ atOnce }) => atOnce)),
});

export const sideBySide = (parts: readonly Most[]): Most => ({
  ...inTurn(parts),
  atOnce: parts.reduce((sum, { atOnce }) => sum + atOnce, 0),
});

/** `count` times the same, of which `most` at a time. */
export const times = (count: number, part: Most, most = 1): Most =>
  count === 0 || part.calls === 0
    ? nothing
    : {
        ...byFigure(figure => count * part[figure]),
        calls: count * part.calls,
        each: part.each,
        atOnce: Math.min(count, most) * part.atOnce,
      };

/** One of them, nobody knows which. */
export const oneOf = (parts: readonly Most[]): Most => ({
  ...largest(parts),
  calls: Math.max(0, ...parts.map(({ calls }) => calls)),
  each: largest(parts.map(({ each }) => each)),
  atOnce: Math.max(0, ...parts.map(({ atOnce }) => atOnce)),
});

/**
 * What is left of it within a limit of calls and of USD. No call is made once the money is used up; those that are under way
 * then are paid for all the same.
 */
export function atMost(
  part: Most,
  {
    turns = Number.POSITIVE_INFINITY,
    budgetUsd = Number.POSITIVE_INFINITY,
  }: { turns?: number | undefined; budgetUsd?: number | undefined },
): Most {
  const calls = Math.min(part.calls, turns);
  const atOnce = Math.min(part.atOnce, calls);
  const within =
    calls === part.calls ? part : byFigure(figure => Math.min(part[figure], calls * part.each[figure]));
  const paid = budgetUsd + atOnce * part.each.cost_usd;
  return {
    ...part,
    ...within,
    ...{ calls, atOnce },
    cost_usd: budgetUsd === Number.POSITIVE_INFINITY ? within.cost_usd : Math.min(within.cost_usd, paid),
  };
}
