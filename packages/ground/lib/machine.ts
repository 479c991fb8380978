// A state machine over a table of transitions: what is not in the table is an error of the program.

/** From each state to each state it may move to, with the words that say when. */
export type Transitions<State extends string> = {
  readonly [From in State]: { readonly [To in State]?: string };
};

/** Answers `to` when the table holds `from` -> `to`; throws an Error that names both states otherwise. */
export function machine<State extends string>(table: Transitions<State>): (from: State, to: State) => State {
  return (from, to) => {
    const exits: { readonly [To in State]?: string } | undefined = Object.hasOwn(table, from)
      ? table[from]
      : undefined;
    if (exits === undefined || !Object.hasOwn(exits, to)) {
      const known = exits === undefined ? 'not a state' : Object.keys(exits).join(', ') || 'nothing: an end';
      throw new Error(`no transition from "${from}" to "${to}" (from "${from}": ${known})`);
    }
    return to;
  };
}
