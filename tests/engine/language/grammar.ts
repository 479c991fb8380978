// The elements and attributes of the language, as its schema for editors lists them.
import type { Element } from '../../../src/engine/language/element.ts';
import { readTree } from '../../../src/engine/language/tree.ts';

/** By element, by attribute: the values that it may have; none where it may have any. */
export type Grammar = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

/** Of an XML Schema that is written as the product's is. */
export function readGrammar(schema: string): Grammar {
  const { root } = readTree(schema, 'task.xsd', () => {});
  const all = root ? [...within(root)] : [];
  const types = new Map(
    all.flatMap(each => (/Type$/.test(each.name) ? [[nameOf(each), each] as const] : [])),
  );
  const valuesOf = (attribute: Element): string[] => {
    const type = types.get(attributeOf(attribute, 'type'));
    return type
      ? [...within(type)].filter(isNamed('enumeration')).flatMap(each => attributeOf(each, 'value') ?? [])
      : [];
  };
  const attributesOf = (owner: Element | undefined): [string, string[]][] =>
    [...(owner ? own(owner) : [])].flatMap(each => {
      if (isNamed('attribute')(each)) return [[nameOf(each) ?? '', valuesOf(each)]];
      return isNamed('extension')(each) ? attributesOf(types.get(attributeOf(each, 'base'))) : [];
    });
  const elements = new Map<string, Map<string, string[]>>();
  for (const element of all.filter(isNamed('element'))) {
    const name = nameOf(element);
    if (name === undefined) continue;
    const typed = attributesOf(types.get(attributeOf(element, 'type')));
    elements.set(name, new Map([...(elements.get(name) ?? []), ...typed, ...attributesOf(element)]));
  }
  return elements;
}

function* within(element: Element): Generator<Element> {
  yield element;
  for (const child of element.children) if (child.kind === 'element') yield* within(child);
}

/** What is in the element, but not in an element that it declares. */
function* own(element: Element): Generator<Element> {
  for (const child of element.children) {
    if (child.kind !== 'element' || isNamed('element')(child)) continue;
    yield child;
    yield* own(child);
  }
}

const isNamed =
  (local: string) =>
  ({ name }: Element): boolean =>
    name === `xs:${local}`;

const attributeOf = ({ attributes }: Element, name: string): string | undefined =>
  attributes.get(name)?.value;
const nameOf = (element: Element): string | undefined => attributeOf(element, 'name');
