// In which order the operations of a reply are carried out: one after another, but for calls that only read.
import type { Operation, OperationProblem } from './operation.ts';
import type { SessionRequest } from './request.ts';

interface Item {
  asked: Operation | OperationProblem;
}

type Tools = Pick<SessionRequest, 'tools'>;

/** As many calls that follow each other and only read are carried out together. */
const MOST_TOGETHER = 8;

/** The items in their order, parted into those that are carried out together. */
export function sideBySide<I extends Item>(items: readonly I[], request: Tools): I[][] {
  const isReading = (item: Item) => toolOf(item, request)?.readOnly === true;
  const groups: I[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last && last.length < MOST_TOGETHER && isReading(item) && last.every(isReading)) last.push(item);
    else groups.push([item]);
  }
  return groups;
}

/** Whether what it does is not for another process to do again. */
export function reachesOutside(item: Item, request: Tools): boolean {
  const tool = toolOf(item, request);
  return tool?.outside === true && !tool.readOnly;
}

const toolOf = ({ asked }: Item, { tools }: Tools) =>
  'kind' in asked && asked.kind === 'tool' ? tools.find(({ name }) => name === asked.name) : undefined;
