// One thing that a repository, an App or this machine needs, as `echelon doctor` and the checks of `echelon init` found it.
export interface Finding {
  what: string;
  /** `missing`: it keeps Echelon from working; printed as "not well". `unknown`: the token may not look. */
  state: 'well' | 'missing' | 'unknown';
  /** Facts, without a remedy. */
  detail: string;
  /** The command, or the one thing to do, that makes it well. */
  fix?: string;
}

/** Files that a job of `mode: check` uploads: findings, and shapes of GitHub's answers, without secrets. */
export const checkFiles = { findings: 'findings.json', record: 'record.jsonl' } as const;

/** A problem and its remedy. */
export type Problem = Required<Pick<Finding, 'detail' | 'fix'>>;

export const well = (what: string, detail: string): Finding => ({ what, state: 'well', detail });
export const missing = (what: string, detail: string, fix?: string): Finding => ({
  what,
  state: 'missing',
  detail,
  ...(fix !== undefined && { fix }),
});
export const unknown = (what: string, detail: string, fix?: string): Finding => ({
  ...missing(what, detail, fix),
  state: 'unknown',
});

/** `problem` undefined: nothing is missing. A text says the problem and its remedy in one sentence. */
export function finding(what: string, found: string, problem: Problem | string | undefined): Finding {
  if (problem === undefined) return well(what, found);
  return typeof problem === 'string' ? missing(what, problem) : missing(what, problem.detail, problem.fix);
}

const words: Record<Finding['state'], string> = { well: 'well', missing: 'not well', unknown: 'unknown' };
const width = Math.max(...Object.values(words).map(word => word.length));

/** As lines for a terminal. Files of the repository are others' text: nothing in them may steer it. */
export const findingLines = (findings: readonly Finding[]): string[] =>
  findings.flatMap(({ what, state, detail, fix }) => {
    const line = `${words[state].padEnd(width)}  ${what}: ${detail}`;
    const lines = fix === undefined ? [line] : [line, `${' '.repeat(width)}    fix: ${fix}`];
    return lines.map(each => each.replace(/[\p{Cc}\p{Cf}]+/gu, ' '));
  });

/** Missing permissions, as `issues: write`. `write` covers `read`. */
export const lacking = (
  needed: Readonly<Record<string, string>>,
  granted: Readonly<Record<string, string>>,
): string[] =>
  Object.entries(needed)
    .filter(([name, level]) => granted[name] !== 'write' && granted[name] !== level)
    .map(([name, level]) => `${name}: ${level}`);
