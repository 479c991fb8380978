// Limits of one execution besides its time, which the execution's policy sets.

export interface SandboxLimits {
  /** Bytes that the interpreter may hold at once. */
  memoryBytes: number;
  /** Bytes of the interpreter's own stack: 524,288 at most, or it has no room left to report an overflow. */
  stackBytes: number;
  /** Characters of console output that are kept, all lines together. */
  consoleChars: number;
  /** Characters of the returned value's JSON; a longer one is cut. */
  resultChars: number;
}

/** The result has the size of one vault entry. */
export const defaultLimits: SandboxLimits = {
  memoryBytes: 64 * 1024 * 1024,
  stackBytes: 256 * 1024,
  consoleChars: 64 * 1024,
  resultChars: 256 * 1024,
};

/** Lines of console output that are kept. */
export const CONSOLE_LINES = 1000;

/** Calls of the host's tools that one execution may make, over all attempts at it. */
export const TOOL_CALLS = 200;

/** Calls that the host carries out at once: as many as of a reply. */
export const CALLS_TOGETHER = 8;

/** Characters of a call's input as JSON. */
export const INPUT_CHARS = 64 * 1024;

/** Characters of all answers to an execution's calls together. */
export const ANSWER_CHARS = 4 * 1024 * 1024;

/** Levels that values from the sandbox may have: whoever walks them later recurses. */
export const NESTING = 500;

/** Characters of code that are taken at all: more is not something a model wrote. */
export const CODE_CHARS = 1024 * 1024;
/** Characters of a call's error. */
export const ERROR_CHARS = 2000;
