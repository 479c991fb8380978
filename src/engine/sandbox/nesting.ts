// How deep values may be nested that leave or enter the sandbox.

/** Levels that values from the sandbox may have: whoever walks them later recurses. */
export const NESTING = 500;
