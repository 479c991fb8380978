// A text that comes in pieces, changed as the whole of it would be.

/** A change of a text, and how much of a text it can be applied to before the rest is there. */
export interface Change {
  (text: string): string;
  /** Characters at the beginning that come out the same, whatever follows; what stands behind them does so without them. */
  settled(text: string): number;
}

/** The changes one after the other. `add` and `end` answer what can be shown by then and was not shown before. */
export function inPieces(...changes: readonly Change[]): { add(piece: string): string; end(): string } {
  const stages = changes.map(change => ({ change, held: '' }));
  const through = (piece: string, last: boolean): string => {
    let text = piece;
    for (const stage of stages) {
      const whole = stage.held + text;
      const to = last ? whole.length : stage.change.settled(whole);
      text = stage.change(whole.slice(0, to));
      stage.held = whole.slice(to);
    }
    return text;
  };
  return { add: piece => through(piece, false), end: () => through('', true) };
}
