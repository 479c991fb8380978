// The strict reading of an envelope: every tag in it is closed in its turn, so that no text can pass for another part.

export type PartName = 'content' | 'output' | 'notes' | 'criteria';

/** One part of an envelope; offsets in the reply. */
export interface Part {
  name: PartName;
  attributes: string;
  /** Where its opening tag begins. */
  at: number;
  from: number;
  to: number;
  isClosed: boolean;
}

/** An envelope taken apart. */
export interface Structure {
  /** The attributes of `<result>`, as written. */
  attributes: string;
  parts: Part[];
  /** What stands between the parts, from and to. */
  between: [from: number, to: number][];
  /** Past its closing tag, or the text's end where none closes it. */
  end: number;
  isClosed: boolean;
}

/** A tag, or the beginning of what holds none. Other uses of `<` are text. */
const markup = /<(?:(!--|!\[CDATA\[|\?)|(\/?)([A-Za-z_][\w.:-]*)(?=[\s/>])((?:\s[^<>]*?)?)(\/?)>)/g;

const closers: Record<string, string> = { '!--': '-->', '![CDATA[': ']]>', '?': '?>' };

/** Past the section (a comment, CDATA, an instruction) that `opener` begins at `from`; undefined: nothing closes it. */
export function pastSection(text: string, opener: string, from: number): number | undefined {
  const closer = closers[opener]!;
  const end = text.indexOf(closer, from + 1 + opener.length);
  return end < 0 ? undefined : end + closer.length;
}

const isPart = (name: string): name is PartName =>
  name === 'content' || name === 'output' || name === 'notes' || name === 'criteria';

/** The envelope whose tag `<result ...>` is the first from `from` on; undefined where its tags do not balance. */
export function balanced(text: string, from: number): Structure | undefined {
  const parts: Part[] = [];
  const between: [number, number][] = [];
  /** The tags that are open, `result` the first. */
  const open: string[] = [];
  let root = '';
  let part: Part | undefined;
  let after = from;
  markup.lastIndex = from;
  for (let tag = markup.exec(text); tag; tag = markup.exec(text)) {
    const to = markup.lastIndex;
    const [, section, slash, name = '', attributes = '', empty] = tag;
    if (section !== undefined) {
      const past = pastSection(text, section, tag.index);
      if (past === undefined) return undefined;
      markup.lastIndex = past;
    } else if (slash) {
      if (open.pop() !== name || attributes.trim() !== '' || empty) return undefined;
      if (open.length === 0) {
        between.push([after, tag.index]);
        return { attributes: root, parts, between, end: to, isClosed: true };
      }
      if (open.length === 1 && part) {
        part.to = tag.index;
        part = undefined;
        after = to;
      }
    } else if (open.length === 0) {
      if (name !== 'result') return undefined;
      if (empty) return { attributes, parts, between, end: to, isClosed: true };
      root = attributes;
      open.push(name);
      after = to;
    } else {
      if (open.length === 1 && isPart(name)) {
        between.push([after, tag.index]);
        part = { name, attributes, at: tag.index, from: to, to, isClosed: true };
        parts.push(part);
        after = to;
        if (empty) part = undefined;
      }
      if (!empty) open.push(name);
    }
  }
  return undefined;
}
