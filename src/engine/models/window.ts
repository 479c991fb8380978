// How many tokens a model's window holds.

/** Anthropic's documented window of every Claude model; some have a larger one as an option that is not asked for. */
const CLAUDE = 200_000;

/** Undefined for a model that nothing is known of: then no share of it is held. */
export function windowOf(model: string): number | undefined {
  return model.startsWith('claude-') ? CLAUDE : undefined;
}
