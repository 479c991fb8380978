// The parts of a page that are made of the code stand between two marks, each alone on its line.
import { messageOf } from '../../packages/ground/lib/message.ts';

const begins = /^<!-- made by npm run docs: (.+) -->$/;
const end = '<!-- end -->';

/**
 * The page's text with each part as `partOf` makes it of the name in its first mark; what stands outside stays.
 * @throws with the page and the line of a mark that has no other: text after it is not known to be made,
 * and of a part that `partOf` fails to make.
 */
export async function withMadeParts(
  page: string,
  text: string,
  partOf: (name: string) => Promise<string>,
): Promise<string> {
  const kept: string[] = [];
  let open: { name: string; line: number } | undefined;
  const unended = (part: { name: string; line: number }) =>
    new Error(
      `${page}:${part.line}: the part "${part.name}" has no end: write "${end}" on a line of its own after it`,
    );
  for (const [index, line] of text.split('\n').entries()) {
    const [, name] = begins.exec(line) ?? [];
    if (name !== undefined) {
      if (open) throw unended(open);
      open = { name, line: index + 1 };
      const part = await partOf(name).catch((error: unknown) => {
        throw new Error(`${page}:${index + 1}: ${messageOf(error)}`, { cause: error });
      });
      kept.push(line, part);
    } else if (line === end) {
      const before = '"<!-- made by npm run docs: NAME -->" on a line of its own before it';
      if (!open) throw new Error(`${page}:${index + 1}: "${end}" ends no part: write ${before}`);
      open = undefined;
      kept.push(line);
    } else if (!open) kept.push(line);
  }
  if (open) throw unended(open);
  return kept.join('\n');
}
