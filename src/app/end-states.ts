// End states of an issue, in the order in which they are reported.

/** States of an issue's slot that it leaves only when a person says so. */
export const endStates = ['done', 'failed', 'blocked', 'skipped', 'cancelled'] as const;
