// A tree as lines that a test can compare.
import type { Element, Text } from '../../../src/engine/language/element.ts';
import type { Position } from '../../../src/engine/language/problem.ts';
import { readTree } from '../../../src/engine/language/tree.ts';

/** Its root, where it was read to its end, and every problem with its place. */
export function reading(source: string, file = 'p.xml'): { root: Element | undefined; problems: string[] } {
  const problems: string[] = [];
  const { root, unfinished } = readTree(source, file, (at, message) =>
    problems.push(`${placeOf(at)} ${message}`),
  );
  return { root: unfinished.length === 0 ? root : undefined, problems };
}

const placeOf = ({ line, column }: Position) => `${line}:${column}`;

/** A line for each node in it, with the place of each attribute and of each `{{` of a text. */
export function shown(node: Element | Text): string[] {
  if (node.kind === 'text') {
    const braces = [...node.text.matchAll(/\{\{/g)].map(({ index }) => index);
    const places = node.places(braces).map(place => ` {{ ${placeOf(place)}`);
    return [`${placeOf(node.at)} ${JSON.stringify(node.text)}${places.join('')}`];
  }
  const attributes = [...node.attributes].map(
    ([name, { value, at }]) => ` ${placeOf(at)} ${name}=${JSON.stringify(value)}`,
  );
  return [`${placeOf(node.at)} <${node.name}>${attributes.join('')}`, ...node.children.flatMap(shown)];
}
