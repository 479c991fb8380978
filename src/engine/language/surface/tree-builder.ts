// Puts a tree together from what a reader of either surface comes across, in the order of the source.
import { type Attribute, type Element, isBlank, type Text } from '../element.ts';
import type { Position, Report } from '../problem.ts';
import { dedent } from '../text.ts';

/** Elements nested deeper than this are refused: no program needs it, and it bounds every recursion. */
export const DEPTH_LIMIT = 50;

export const tooDeep = `elements are nested deeper than ${DEPTH_LIMIT}`;

/** A tree, as far as it could be made out. */
export interface Tree {
  root: Element | undefined;
  /** The elements whose end is not known, from the inside out; empty where the source was read to its end. */
  unfinished: readonly Element[];
  /** The source was left at a place behind which nothing could be made sense of; that has been reported. */
  isCut: boolean;
}

/** Its children are still to come. */
interface OpenElement extends Element {
  children: (Element | Text)[];
  comments?: { before: string[]; atEnd: string[] };
}

export class TreeBuilder {
  readonly #report: Report;
  readonly #open: OpenElement[] = [];
  readonly #unfinished: Element[] = [];
  #root: OpenElement | undefined;
  /** The last element that ended. */
  #closed: OpenElement | undefined;
  /** Comments since the last begin or end of an element. */
  #comments: string[] = [];

  constructor(report: Report) {
    this.#report = report;
  }

  get hasRoot(): boolean {
    return this.#root !== undefined;
  }

  /** `attributes` may still grow until the element ends. */
  open(name: string, at: Position, attributes: ReadonlyMap<string, Attribute>): void {
    const element: OpenElement = { kind: 'element', name, at, attributes, children: [] };
    if (this.#comments.length > 0) element.comments = { before: this.#comments.splice(0), atEnd: [] };
    const parent = this.#open.at(-1);
    if (parent) parent.children.push(element);
    else if (!this.#root) this.#root = element;
    else this.#report(at, `a program has one root element; <${name}> is a second one`);
    this.#open.push(element);
  }

  /** Ends the innermost element; `isFinished`: that is where it ends. */
  close(isFinished = true): void {
    const closed = this.#open.pop();
    if (!closed) return;
    this.#closed = closed;
    if (this.#comments.length > 0)
      closed.comments = { before: [], ...closed.comments, atEnd: this.#comments.splice(0) };
    if (!isFinished) this.#unfinished.push(closed);
    if (holdsElements(closed.children))
      closed.children = closed.children.filter(child => child.kind === 'element');
  }

  text(text: Omit<Text, 'kind'>): void {
    const parent = this.#open.at(-1);
    if (parent) parent.children.push({ kind: 'text', ...text });
    else if (!isBlank(text.text)) this.#report(text.at, 'text outside of the root element');
  }

  /**
   * As it stands in the source; its layout is taken away. It tells of what comes next, but where it ends the line `behind`
   * right behind an element that stands on that line.
   */
  comment(words: string, behind?: number): void {
    const told = dedent(words);
    const closed = this.#open.length > 0 ? this.#closed : undefined;
    if (!closed || closed.at.line !== behind) this.#comments.push(told);
    else if (closed.comments) closed.comments.before.push(told);
    else closed.comments = { before: [told], atEnd: [] };
  }

  /** `isCut`: see `Tree`. What is still open ends here. */
  tree(isCut: boolean): Tree {
    while (this.#open.length > 0) this.close(!isCut);
    const root = this.#root;
    if (root && this.#comments.length > 0) {
      const { before, atEnd } = root.comments ?? { before: [], atEnd: [] };
      root.comments = { before, atEnd: [...atEnd, ...this.#comments.splice(0)] };
    }
    return { root, unfinished: this.#unfinished, isCut };
  }
}

/** True if these are elements with only white space between them. */
function holdsElements(nodes: readonly (Element | Text)[]): boolean {
  return (
    nodes.some(node => node.kind === 'element') &&
    nodes.every(node => node.kind === 'element' || isBlank(node.text))
  );
}
