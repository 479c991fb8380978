// The comments of a reply: who reads it as Markdown does not see what stands in them.

/**
 * Whether an offset stands in a comment that begins a line; offsets that are asked for never get smaller. One that
 * nothing closes is none: it would hide all that follows.
 */
export function commentsIn(text: string): (offset: number) => boolean {
  const opening = /^[ \t]*<!--/gm;
  let from = 0;
  let to = 0;
  const next = () => {
    opening.lastIndex = to;
    const found = opening.exec(text);
    const end = found ? text.indexOf('-->', found.index + found[0].length) : -1;
    [from, to] = found && end >= 0 ? [found.index, end + 3] : [text.length, text.length];
  };
  return offset => {
    while (to <= offset && to < text.length) next();
    return from <= offset && offset < to;
  };
}
