// LRU cache of texts, limited by their total size.

/** Keeps texts by their keys until they have `most` characters together; the one not asked for longest goes first. */
export function kept(most: number) {
  const texts = new Map<string, string>();
  let size = 0;
  const drop = (key: string, text: string) => {
    texts.delete(key);
    size -= key.length + text.length;
  };
  return {
    get(key: string): string | undefined {
      const text = texts.get(key);
      if (text === undefined) return undefined;
      texts.delete(key);
      texts.set(key, text);
      return text;
    },
    /** Answers the text. */
    set(key: string, text: string): string {
      const before = texts.get(key);
      if (before !== undefined) drop(key, before);
      texts.set(key, text);
      size += key.length + text.length;
      for (const [oldest, its] of texts) if (size > most) drop(oldest, its);
      return text;
    },
  };
}
