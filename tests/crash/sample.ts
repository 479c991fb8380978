// Selects crashes to play: one of each kind, to keep the suite short, or all of them.

/** `ECHELON_CRASH=all` plays every crash, which takes minutes (`crash.test.ts`) to hours (`actions.test.ts`). */
export const playsAll = process.env['ECHELON_CRASH'] === 'all';

/** The first crash of each kind: always the same ones. */
export function sample<Crash>(all: readonly Crash[], kindOf: (crash: Crash) => string): Crash[] {
  const kinds = new Set<string>();
  return all.filter(crash => playsAll || kinds.size < kinds.add(kindOf(crash)).size);
}
