// What `echelon doctor` says of one thing that a repository, an App or this machine needs.
export interface Finding {
  what: string;
  /** `unknown`: the token may not look. */
  state: 'well' | 'missing' | 'unknown';
  /** What was found, or the remedy. */
  detail: string;
}

export const well = (what: string, detail: string): Finding => ({ what, state: 'well', detail });
export const missing = (what: string, detail: string): Finding => ({ what, state: 'missing', detail });
export const unknown = (what: string, detail: string): Finding => ({ what, state: 'unknown', detail });

/** `unless` says what is missing; undefined: nothing is. */
export const finding = (what: string, found: string, unless: string | undefined): Finding =>
  unless === undefined ? well(what, found) : missing(what, unless);

/** What of the permissions is not granted, as `issues: write`; `write` covers `read`. */
export const lacking = (
  needed: Readonly<Record<string, string>>,
  granted: Readonly<Record<string, string>>,
): string[] =>
  Object.entries(needed)
    .filter(([name, level]) => granted[name] !== 'write' && granted[name] !== level)
    .map(([name, level]) => `${name}: ${level}`);
