// Which elements of the language may have a name, as its schema for editors says.
import type { Element } from '../../../src/engine/language/element.ts';
import { readTree } from '../../../src/engine/language/tree.ts';

/** Of an XML Schema that is written as the product's is. */
export function namedElements(schema: string): string[] {
  const { root } = readTree(schema, 'task.xsd', () => {});
  const all = root ? [...within(root)] : [];
  const types = new Map(
    all.filter(({ name }) => name === 'xs:complexType').map(each => [of(each) ?? '', each]),
  );
  const hasName = (owner: Element | undefined): boolean =>
    owner !== undefined &&
    [...own(owner)].some(
      each =>
        (each.name === 'xs:attribute' && of(each) === 'name') ||
        (each.name === 'xs:extension' && hasName(types.get(of(each, 'base') ?? 'none'))),
    );
  const named = all.filter(each => hasName(each) || hasName(types.get(of(each, 'type') ?? 'none')));
  return [...new Set(named.flatMap(each => (each.name === 'xs:element' ? (of(each) ?? []) : [])))];
}

function* within(element: Element): Generator<Element> {
  yield element;
  for (const child of element.children) if (child.kind === 'element') yield* within(child);
}

/** What is in the element, but not in an element that it declares. */
function* own(element: Element): Generator<Element> {
  for (const child of element.children) {
    if (child.kind !== 'element' || child.name === 'xs:element') continue;
    yield child;
    yield* own(child);
  }
}

const of = ({ attributes }: Element, name = 'name'): string | undefined => attributes.get(name)?.value;
