// Where the `<result>` of a reply stands. Each search passes over the text once, whatever the text is.

export interface Found extends Written {
  /** The text before the envelope and that after it. */
  before: string;
  after: string;
  isClosed: boolean;
  /** The other envelopes outside of code, in `before`. */
  others: Written[];
}

export interface Written {
  /** The attributes of `<result>`, as written. */
  attributes: string;
  inner: string;
}

/** A code fence, the opening of an envelope at the beginning of a line, or a closing anywhere. */
const marks = /^[ \t]*(?:(`{3,}|~{3,})|<result(\s[^<>]*)?(?:>|(?=<)))|<\/result\s*>/gm;

interface Opening {
  from: number;
  to: number;
  attributes: string;
  /** Whether the tag itself is whole. */
  isWhole: boolean;
  /** Counts the closings before it, of which the last is `closingBefore`. */
  closings: number;
  closingBefore: Closing | undefined;
}

interface Closing {
  from: number;
  to: number;
}

/**
 * The last envelope at the top of the text, outside of code: what stands in code is quoted, and one inside another is
 * content. Without any, half an envelope counts where it cannot be another document: `declared` are the outputs that
 * were asked for.
 */
export function findEnvelope(
  text: string,
  declared: readonly string[],
  warnings: string[],
): Found | undefined {
  const first = text.indexOf('<result');
  if (first < 0) return withoutResult(text, declared, warnings);
  return (first === 0 ? soundEnvelope(text) : inFence(text)) ?? searched(text, warnings);
}

const soundOpening = /^<result(\s[^<>]*)?>/;

/** The usual case, where nothing is to be searched: one envelope and nothing else. */
function soundEnvelope(text: string): Found | undefined {
  const opening = soundOpening.exec(text);
  const trimmed = text.trimEnd();
  if (!opening || !trimmed.endsWith('</result>') || text.includes('<result', 1)) return undefined;
  const inner = trimmed.slice(opening[0].length, -'</result>'.length);
  return { before: '', after: '', attributes: opening[1] ?? '', inner, isClosed: true, others: [] };
}

const fenceBegin = /^(`{3,}|~{3,})[\w-]*[ \t\r]*\n/;

/** A fence as the whole reply, in which there are other fences, but nothing besides one envelope. */
function inFence(text: string): Found | undefined {
  const whole = text.trim();
  const begin = fenceBegin.exec(whole);
  if (!begin || !whole.endsWith(begin[1]!)) return undefined;
  const inside = whole.slice(begin[0].length, -begin[1]!.length).trim();
  if (inside.indexOf('</result') !== inside.length - '</result>'.length) return undefined;
  return soundEnvelope(inside);
}

function searched(text: string, warnings: string[]): Found | undefined {
  const outside: Opening[] = [];
  /** Since the last fence, which is code only when another fence closes it. */
  const undecided: Opening[] = [];
  let fence: string | undefined;
  let closings = 0;
  let lastClosing: Closing | undefined;
  for (const mark of text.matchAll(marks)) {
    const to = mark.index + mark[0].length;
    if (mark[1] !== undefined) {
      if (fence === undefined) fence = mark[1];
      else if (mark[1].startsWith(fence)) {
        fence = undefined;
        undecided.length = 0;
      }
    } else if (mark[0].startsWith('</')) {
      closings++;
      lastClosing = { from: mark.index, to };
    } else {
      const isWhole = mark[0].endsWith('>');
      const attributes = mark[2] ?? '';
      const opening = { from: mark.index, to, attributes, isWhole, closings, closingBefore: lastClosing };
      (fence === undefined ? outside : undecided).push(opening);
    }
  }
  for (const opening of undecided) outside.push(opening);

  const top = atTop(outside);
  const opening = top.pop();
  if (!opening) return undefined;
  if (top.length > 0) warnings.push('the reply holds more than one envelope; the last one counts');
  if (!opening.isWhole) warnings.push('the tag <result lacks its >');
  const closing = lastClosing && lastClosing.from >= opening.to ? lastClosing : undefined;
  if (!closing) warnings.push('<result> is not closed');
  return {
    before: text.slice(0, opening.from),
    after: closing ? text.slice(closing.to) : '',
    attributes: opening.attributes,
    inner: text.slice(opening.to, closing?.from),
    isClosed: closing !== undefined,
    others: top.map(({ to, attributes }, index) => ({
      attributes,
      inner: text.slice(to, (top[index + 1] ?? opening).closingBefore?.from),
    })),
  };
}

/** The openings that no other one holds: after each, a closing comes before the next. */
function atTop(openings: readonly Opening[]): Opening[] {
  const top: Opening[] = [];
  for (const opening of openings) if (top.at(-1)?.closings !== opening.closings) top.push(opening);
  return top;
}

const beginsAsPart = /^\s*<\/?(?:content|output|notes|criteria)(?:\s[^<>]*)?>/;

/** Half an envelope: it begins with a part, and ends as an envelope or has an output that was asked for. */
function withoutResult(text: string, declared: readonly string[], warnings: string[]): Found | undefined {
  if (!beginsAsPart.test(text)) return undefined;
  const whole = text.trimEnd();
  const isClosed = whole.endsWith('</result>');
  if (!isClosed && !declared.some(name => whole.includes(`<output name="${name}"`))) return undefined;
  warnings.push('the reply has no <result> around its parts');
  const inner = isClosed ? whole.slice(0, -'</result>'.length) : whole;
  return { before: '', after: '', attributes: '', inner, isClosed, others: [] };
}
