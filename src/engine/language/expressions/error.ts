// The one error of the expression language, with its place.

/** `offset` counts UTF-16 units from the beginning of the text that was read. */
export class ExpressionError extends Error {
  override name = 'ExpressionError';
  readonly offset: number;

  constructor(message: string, offset: number, options?: ErrorOptions) {
    super(message, options);
    this.offset = offset;
  }
}

/** A piece of the author's text, in quotation marks and short enough for a line; what cannot be seen is named. */
export function shown(piece: string): string {
  const short = piece.length > 40 ? `${piece.slice(0, 40).toWellFormed()}...` : piece;
  const visible = short.replace(
    /[^\x20-\x7e\p{L}\p{N}\p{P}\p{S}]/gu,
    each => `U+${each.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return `"${visible}"`;
}
