// What every command is made of: one row that reads it, describes it, and says who may use it.

/** Least permission on the repository that a command needs. */
export type Who = 'read' | 'write' | 'maintain';

/** Arguments that do not fit: what is wrong, and at which offset of the text after the command's word. */
export interface Misfit {
  wrong: string;
  at: number;
  /** What may have been meant. */
  nearest?: string | undefined;
}

export interface Row<Name extends string, Said> {
  name: Name;
  /** Grammar: `[x]` may be left out, `|` is a choice, other words stand for themselves or for what they name. */
  usage: string;
  what: string;
  who: Who;
  example: string;
  /** `rest` is what stands after the command's word, without white space around it. */
  parse(rest: string): Said | Misfit;
}

/** Words of `rest` with their offsets; commas part words too when `commas` is set. */
export function wordsOf(rest: string, commas = false): { word: string; at: number }[] {
  return [...rest.matchAll(commas ? /[^\s,]+/g : /\S+/g)].map(found => ({ word: found[0], at: found.index }));
}

/** A command without arguments. */
export function bare<Name extends string>(name: Name, who: Who, what: string): Row<Name, { name: Name }> {
  return {
    name,
    usage: `/${name}`,
    what,
    who,
    example: `/${name}`,
    parse: rest => (rest === '' ? { name } : { wrong: `/${name} takes nothing after it`, at: 0 }),
  };
}
