// Reads an envelope: every tag of its own in it is closed in its turn, so that no text can pass for another part.

export type PartName = 'content' | 'output' | 'notes' | 'criteria';

/** One part of an envelope; offsets in the reply. */
export interface Part {
  name: PartName;
  attributes: string;
  /** Offset of the opening tag. */
  at: number;
  from: number;
  to: number;
}

/** An envelope taken apart. */
export interface Structure {
  /** The attributes of `<result>`, as written. */
  attributes: string;
  parts: Part[];
  /** Ranges between the parts, as start and end. */
  between: [from: number, to: number][];
  /** Past its closing tag. */
  end: number;
}

/** A tag of an envelope, or the beginning of what holds none. Other uses of `<` are text: models quote code as it is. */
const markup =
  /<(?:(!--|!\[CDATA\[)|(\/?)(result|content|output|notes|criteria)(?=[\s/>])((?:\s[^<>]*?)?)(\/?)>)/g;

const closers: Record<string, string> = { '!--': '-->', '![CDATA[': ']]>' };

/** Past the section (a comment or CDATA) that `opener` begins at `from`; undefined: nothing closes it. */
function pastSection(text: string, opener: string, from: number): number | undefined {
  const closer = closers[opener]!;
  const end = text.indexOf(closer, from + 1 + opener.length);
  return end < 0 ? undefined : end + closer.length;
}

const isPart = (name: string): name is PartName =>
  name === 'content' || name === 'output' || name === 'notes' || name === 'criteria';

/** A tag that nothing closes, or that closes nothing, and its offset. */
export interface Unbalanced {
  tag: string;
  wrong: number;
}

/** The envelope whose tag `<result ...>` stands at `from`, or why there is none. */
export function balanced(text: string, from: number): Structure | Unbalanced {
  const parts: Part[] = [];
  const between: [number, number][] = [];
  /** The tags that are open, `result` the first. */
  const open: { name: string; at: number }[] = [];
  let root = '';
  let part: Part | undefined;
  let after = from;
  markup.lastIndex = from;
  for (let tag = markup.exec(text); tag; tag = markup.exec(text)) {
    const to = markup.lastIndex;
    const [whole, section, slash, name = '', attributes = '', empty] = tag;
    if (open.length === 0 && (tag.index > from || slash || name !== 'result')) break;
    if (section !== undefined) {
      const past = pastSection(text, section, tag.index);
      if (past === undefined) return { tag: whole, wrong: tag.index };
      markup.lastIndex = past;
    } else if (slash) {
      if (open.pop()?.name !== name || attributes.trim() !== '' || empty)
        return { tag: `</${name}>`, wrong: tag.index };
      if (open.length === 0) {
        between.push([after, tag.index]);
        return { attributes: root, parts, between, end: to };
      }
      if (open.length === 1 && part) {
        part.to = tag.index;
        part = undefined;
        after = to;
      }
    } else if (open.length === 0) {
      if (empty) return { attributes, parts, between, end: to };
      root = attributes;
      open.push({ name, at: tag.index });
      after = to;
    } else {
      if (open.length === 1 && isPart(name)) {
        between.push([after, tag.index]);
        part = { name, attributes, at: tag.index, from: to, to };
        parts.push(part);
        after = to;
        if (empty) part = undefined;
      }
      if (!empty) open.push({ name, at: tag.index });
    }
  }
  const last = open.at(-1);
  return { tag: `<${last?.name ?? 'result'}>`, wrong: last?.at ?? from };
}
