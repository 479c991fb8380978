// An event of a session or of a program as one line for people who look closely.
/** Characters of a text that a line shows. */
const TEXT = 200;

/** Its type, then its other fields as JSON with long texts cut. */
export function eventLine({ type, ...fields }: { readonly type: string }): string {
  const shown = JSON.stringify(fields, (_key, value: unknown) =>
    typeof value === 'string' && value.length > TEXT ? `${value.slice(0, TEXT).toWellFormed()}…` : value,
  );
  return `${type} ${shown}`;
}
