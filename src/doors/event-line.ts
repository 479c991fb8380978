// An event of a session or of a program as one line for people who look closely.
/** Characters of a text that a line shows. */
const TEXT = 200;

/** A listener that writes a line of each event, but for the pieces of a reply: the line of the whole has them. */
export const writingEvents =
  (write: (line: string) => void) =>
  (event: { readonly type: string }): void => {
    if (event.type !== 'model_delta') write(`event ${eventLine(event)}`);
  };

/** Its type, then its other fields as JSON with long texts cut. */
export function eventLine({ type, ...fields }: { readonly type: string }): string {
  const shown = JSON.stringify(fields, (_key, value: unknown) =>
    typeof value === 'string' && value.length > TEXT ? `${value.slice(0, TEXT).toWellFormed()}…` : value,
  );
  return `${type} ${shown}`;
}
