// Keeps the beginning and the end of an output of any length, in a bounded amount of memory.

export type BoundedOutput = ReturnType<typeof boundedOutput>;

/** Keeps at most `maxBytes`: the first quarter (how it began) and the last three (how it ended). */
export function boundedOutput(maxBytes: number) {
  const headSize = Math.floor(maxBytes / 4);
  const tailSize = maxBytes - headSize;
  const head: Buffer[] = [];
  let tail: Buffer[] = [];
  let [inHead, inTail, total] = [0, 0, 0];
  const shortenTail = () => {
    const whole = Buffer.concat(tail);
    const kept = Buffer.from(whole.subarray(Math.max(0, whole.length - tailSize)));
    tail = [kept];
    inTail = kept.length;
  };
  return {
    add(chunk: Buffer): void {
      total += chunk.length;
      const first = chunk.subarray(0, headSize - inHead);
      // Copies: a part of a chunk would keep the whole chunk in memory.
      if (first.length > 0) head.push(Buffer.from(first));
      inHead += first.length;
      const rest = chunk.subarray(first.length);
      if (rest.length === 0) return;
      tail.push(Buffer.from(rest.subarray(Math.max(0, rest.length - tailSize))));
      inTail += Math.min(rest.length, tailSize);
      if (inTail > 2 * tailSize) shortenTail();
    },
    /** The kept text: the beginning, a line end, the end. */
    text(): string {
      if (inTail > tailSize) shortenTail();
      if (total === inHead + inTail) return Buffer.concat([...head, ...tail]).toString('utf8');
      return `${whole(Buffer.concat(head))}\n${whole(Buffer.concat(tail))}`;
    },
    get truncated() {
      return total > inHead + Math.min(inTail, tailSize);
    },
  };
}

/** As text, without the halves of characters that the cut made at either end. */
function whole(bytes: Buffer): string {
  let start = 0;
  while (start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes
    .subarray(start)
    .toString('utf8')
    .replace(/\ufffd$/, '');
}
