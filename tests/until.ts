// Waits for a state that another process comes to by itself, by looking at it again and again.

/** The first answer of `look` that is not undefined. Rejects after `ms`, with what was waited for and `more()`. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined> | T | undefined,
  { ms = 60_000, every = 50, more }: { ms?: number; every?: number; more?: () => string } = {},
): Promise<T> {
  const over = Date.now() + ms;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > over) throw new Error(`waited ${ms} ms in vain for: ${what}\n${more?.() ?? ''}`);
    await new Promise(resolve => setTimeout(resolve, every));
  }
}

/** Environment of a process of Node that does not wait where it would wait `pause` milliseconds. */
export function shortened(pause: number): { NODE_OPTIONS: string } {
  const code = `const real = setTimeout;
globalThis.setTimeout = (then, ms, ...more) => real(then, ms === ${pause} ? 100 : ms, ...more);`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}
