// The words of whatever was thrown.

/** An error's message; anything else as text. */
export const messageOf = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);
