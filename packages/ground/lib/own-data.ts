// The data of a value that somebody else's code hands over: plain objects and lists, and nothing that runs.

/** Nothing that is handed over goes deeper. */
const DEEPEST = 5;
/** Members of one object. */
const MOST_MEMBERS = 100;

/**
 * A copy of the own members of plain objects and lists, of whatever types their values are. Getters are not run; a
 * proxy is asked for each member once. Throws `refuse(why)` for an inherited or computed member, an object of another
 * kind, a list of more than `most` entries, and where the value itself throws.
 */
export function ownData(value: unknown, most: number, refuse: (why: string) => Error): unknown {
  let found: unknown;
  let fault: string | undefined;
  try {
    found = copied(value, '', most);
  } catch (error) {
    // A proxy may throw anything, and so may the text of that.
    fault = error instanceof Unfit ? error.message : 'it cannot be read';
  }
  if (fault !== undefined) throw refuse(fault);
  return found;
}

class Unfit extends Error {}

function copied(value: unknown, at: string, most: number, depth = 0): unknown {
  if (typeof value === 'function') throw new Unfit(`${at || 'it'} is a function`);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) throw new Unfit(`${at} is nested deeper than ${DEEPEST} levels`);
  if (Array.isArray(value)) {
    const { length } = value;
    if (length > most) throw new Unfit(`${at || 'it'} has ${length} entries; ${most} are allowed`);
    return Array.from({ length }, (_, n) =>
      copied(ownMember(value, String(n), at), `${at}[${n}]`, most, depth + 1),
    );
  }
  if (!isPlain(value)) throw new Unfit(`${at || 'it'} is no plain object`);
  const keys = Reflect.ownKeys(value);
  if (keys.length > MOST_MEMBERS)
    throw new Unfit(`${at || 'it'} has ${keys.length} members; ${MOST_MEMBERS} are allowed`);
  return Object.fromEntries(
    keys.map(key => {
      if (typeof key === 'symbol' || key === '__proto__')
        throw new Unfit(`${at || 'it'} has a member ${String(key).slice(0, 100)}, which is unknown`);
      const place = at === '' ? key : `${at}.${key}`;
      return [key, copied(ownMember(value, key, at), place, most, depth + 1)];
    }),
  );
}

/** True if the prototype is `Object.prototype` of any realm, or null. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function ownMember(value: object, key: string, at: string): unknown {
  const member = Reflect.getOwnPropertyDescriptor(value, key);
  if (!member) return undefined;
  if ('value' in member) return member.value;
  throw new Unfit(`${at === '' ? key : `${at}.${key}`} is computed by a getter; give its value`);
}
