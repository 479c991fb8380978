// Elements, attributes and texts of a source with nothing wrong in it: small, and their places made when asked for.
import { type Attribute, type Attributes, beginOf, type Element, rawOffsets, type Text } from './element.ts';
import type { Position } from './problem.ts';

type Place = (offset: number) => Position;

/** Knows its offset, and works out line and column when they are asked for: those of most nodes never are. */
class CleanNode {
  readonly #place: Place;
  readonly #offset: number;

  constructor(place: Place, offset: number) {
    this.#place = place;
    this.#offset = offset;
  }

  get at(): Position {
    return this.#place(this.#offset);
  }

  /** The place of what stands `distance` behind the node's begin. */
  protected behind(distance: number): Position {
    return this.#place(this.#offset + distance);
  }
}

export class CleanElement extends CleanNode implements Element {
  readonly kind = 'element';
  readonly name: string;
  readonly attributes: Attributes;
  /** Known once its closing tag is read. */
  children: readonly (Element | Text)[] = noChildren;

  constructor(name: string, attributes: Attributes, place: Place, offset: number) {
    super(place, offset);
    this.name = name;
    this.attributes = attributes;
  }
}

const noChildren: readonly (Element | Text)[] = [];

export class CleanText extends CleanNode implements Text {
  readonly kind = 'text';
  readonly text: string;
  readonly #raw: string;

  /** `raw`: what stands in the source from `offset` on. */
  constructor(text: string, raw: string, place: Place, offset: number) {
    super(place, offset);
    this.text = text;
    this.#raw = raw;
  }

  override get at(): Position {
    return this.behind(beginOf(this.#raw));
  }

  places(indexes: readonly number[]): Position[] {
    const asWritten = this.#raw.length === this.text.length;
    const offsets = asWritten ? indexes : [...rawOffsets(this.#raw, this.text, indexes)];
    return offsets.map(offset => this.behind(offset));
  }
}

export class CleanAttribute extends CleanNode implements Attribute {
  readonly name: string;
  readonly value: string;
  /** Of the same tag. */
  next: CleanAttribute | undefined = undefined;

  constructor(name: string, value: string, place: Place, offset: number) {
    super(place, offset);
    this.name = name;
    this.value = value;
  }
}

/** The attributes of a tag in a row: there are so few that a search from the first finds one soonest. */
export class CleanAttributes implements Attributes {
  readonly #first: CleanAttribute;
  #last: CleanAttribute;
  size = 1;

  constructor(first: CleanAttribute) {
    this.#first = first;
    this.#last = first;
  }

  add(attribute: CleanAttribute): void {
    this.#last.next = attribute;
    this.#last = attribute;
    this.size++;
  }

  get(name: string): Attribute | undefined {
    let each: CleanAttribute | undefined = this.#first;
    while (each && each.name !== name) each = each.next;
    return each;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  *[Symbol.iterator](): Generator<[string, Attribute], undefined> {
    for (let each: CleanAttribute | undefined = this.#first; each; each = each.next) yield [each.name, each];
  }
}
