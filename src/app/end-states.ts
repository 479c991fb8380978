// How an issue's work can end, in the order in which people are told.

/** States of an issue's slot that it leaves only when a person says so. */
export const endStates = ['done', 'failed', 'blocked', 'skipped', 'cancelled'] as const;
