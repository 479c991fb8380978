// Reads the operations that a model wrote as tags.
import type { Operation, OperationProblem } from '../operation.ts';
import { placed, scanTags, type TagBlock } from '../tags/scan.ts';
import { formOf } from '../tags/table.ts';
import { operationOf } from './read-fields.ts';

export type ReplyItem =
  | { operation: Operation; at: { line: number; column: number } }
  | { problem: OperationProblem };

/** Malformed tags that are told one by one: a reply can hold a hundred thousand. */
const PROBLEMS = 100;

/**
 * The operations and the problems of `text` in its order, and what stands around the blocks. Lines and columns count
 * from 1. After the first hundred problems one more says how many are left.
 */
export function readReply(text: string): { items: ReplyItem[]; prose: string } {
  const { blocks, problems } = scanTags(text);
  const places = placed(
    text,
    blocks.map(({ start }) => ({ offset: start, message: '' })),
  );
  const found: { offset: number; item: ReplyItem }[] = problems.map(({ message, line, column, offset }) => ({
    offset,
    item: { problem: { message, line, column } },
  }));
  for (const [index, block] of blocks.entries()) {
    const { line, column } = places[index]!;
    const read = operationIn(block);
    const item =
      'message' in read ? { problem: { ...read, line, column } } : { operation: read, at: { line, column } };
    found.push({ offset: block.start, item });
  }
  found.sort((a, b) => a.offset - b.offset);
  return { items: withFewProblems(found.map(({ item }) => item)), prose: around(text, blocks) };
}

function operationIn({ tag, attributes, body }: TagBlock): Operation | { message: string } {
  // The scanner has found the form already.
  const form = formOf(tag, attributes)!;
  const field = form.body.field;
  const fields = field === undefined || body === undefined ? attributes : { ...attributes, [field]: body };
  return operationOf(tag, form, fields);
}

function withFewProblems(items: ReplyItem[]): ReplyItem[] {
  const told: ReplyItem[] = [];
  let problems = 0;
  for (const item of items) if (!('problem' in item) || ++problems <= PROBLEMS) told.push(item);
  if (problems > PROBLEMS)
    told.push({ problem: { message: `and ${problems - PROBLEMS} more tags are malformed` } });
  return told;
}

function around(text: string, blocks: readonly TagBlock[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of blocks) {
    parts.push(text.slice(at, start).trim());
    at = end;
  }
  parts.push(text.slice(at).trim());
  return parts.filter(part => part !== '').join('\n');
}
