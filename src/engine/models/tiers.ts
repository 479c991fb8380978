// Which model does which work by default: three tiers, and the tier of each role.

export type Tier = 'strongest' | 'middle' | 'small';

/** The model behind each tier. The one place to change when a generation is replaced; each needs a row in prices.ts. */
export const tiers: Readonly<Record<Tier, string>> = {
  strongest: 'claude-opus-5-5',
  middle: 'claude-sonnet-5-5',
  small: 'claude-haiku-5-5',
};

/** The default tier of a role or task: the strategist takes the strongest, all others the middle one. */
export function defaultTier(role: string): Tier {
  return role === '2ic' ? 'strongest' : 'middle';
}
