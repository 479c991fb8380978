// The execution policies: by which strategy code is run, how long, and how often again.

export interface ExecutionPolicy {
  name: string;
  /** The strategy's name. */
  strategy: string;
  /** Milliseconds of one attempt. */
  timeLimitMs: number;
  /** Attempts after the first. */
  retries: number;
  /** Whether a failed attempt is cleaned away before the next, where the error's row says so too. */
  cleanContext: boolean;
  /** Whether the record lists every attempt. */
  logAttempts: boolean;
  /** Whether the model sees where in the code an error passed by. */
  verboseErrors: boolean;
}

export const executionPolicies = [
  {
    name: 'default',
    strategy: 'retry',
    timeLimitMs: 15_000,
    retries: 3,
    cleanContext: true,
    logAttempts: false,
    verboseErrors: false,
  },
  {
    name: 'safe',
    strategy: 'safe',
    timeLimitMs: 10_000,
    retries: 0,
    cleanContext: false,
    logAttempts: true,
    verboseErrors: false,
  },
  {
    name: 'aggressive',
    strategy: 'retry',
    timeLimitMs: 30_000,
    retries: 5,
    cleanContext: true,
    logAttempts: false,
    verboseErrors: false,
  },
  {
    name: 'debug',
    strategy: 'standard',
    timeLimitMs: 60_000,
    retries: 0,
    cleanContext: false,
    logAttempts: true,
    verboseErrors: true,
  },
] as const satisfies readonly ExecutionPolicy[];

export const DEFAULT_POLICY = 'default';

/**
 * The name to use for one that was stored earlier: itself while it is known, else `byDefault` with a warning to show.
 * `what` is the word for it.
 */
export function storedName(
  what: string,
  name: string,
  known: readonly string[],
  byDefault: string,
): { name: string; warning?: string } {
  if (known.includes(name)) return { name };
  const warning = `the ${what} "${name}" no longer exists; "${byDefault}" is used in its place`;
  return { name: byDefault, warning };
}
