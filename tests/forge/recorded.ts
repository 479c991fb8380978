// Calls recorded by `echelon doctor --on-github --record`, held against those that the local GitHub answered.

type Shape = string | Shape[] | { [key: string]: Shape };

interface RecordedCall {
  method: string;
  route: string;
  status: number;
  shape: Shape;
}

export const recordedIn = (text: string): RecordedCall[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));

/** Differences of the answers of `own` from the recorded ones: missing statuses, and members that differ. */
export function differences(recorded: readonly RecordedCall[], own: readonly RecordedCall[]): string[] {
  const name = ({ method, route, status }: RecordedCall) => `${method} ${route}: ${status}`;
  return own.flatMap(call => {
    const same = recorded.filter(each => name(each) === name(call));
    if (same.length === 0) return [`${name(call)} is not recorded`];
    const found = same.map(each => differing(each.shape, call.shape, name(call)));
    return found.find(each => each.length === 0) ?? found[0] ?? [];
  });
}

/** A null or an empty list says nothing about its type. */
function differing(recorded: Shape | undefined, own: Shape, at: string): string[] {
  if (recorded === undefined) return [`${at} is not GitHub's`];
  if (recorded === 'null' || own === 'null') return [];
  if (Array.isArray(recorded) && Array.isArray(own))
    return recorded.length > 0 && own[0] !== undefined ? differing(recorded[0], own[0], `${at}[]`) : [];
  if (
    typeof recorded === 'object' &&
    typeof own === 'object' &&
    !Array.isArray(recorded) &&
    !Array.isArray(own)
  )
    return Object.entries(own).flatMap(([key, each]) => differing(recorded[key], each, `${at}.${key}`));
  return recorded === own ? [] : [`${at} is ${JSON.stringify(recorded).slice(0, 40)} there`];
}
