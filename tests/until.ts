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
