// What people read where the record is: parts that were closed, edits that were undone, records that cannot be read.

import { code } from './listing.ts';
import { MAX_BODY } from './neutral.ts';
import { neutralLine } from './neutral.ts';

export const partComment = (seq: number, encoded: string) =>
  `<details><summary>Record, part ${seq}</summary>\n\nEchelon keeps its record in comments. Please leave this one as it is.\n\n</details>\n\n<!-- echelon:part -->\n${encoded}`;

export const restoredNotice = (editor: string) =>
  `The run comment was edited by ${code(editor)}. It holds the run's record, so the text before was put back.`;

export const troubleNotice = (why: string) =>
  `The record of this run cannot be relied on: ${neutralLine(why)}. Nothing more is done here. Remove the label and put it on again to begin a new run.`;

/** What a run comment says of a record that stands on a branch: how many commits it had, and which was the newest. */
export interface HeadMark {
  commit: number;
  head: string;
  run: string;
}

/** The run whose board and record a comment is, wherever the record stands; parts of one begin otherwise. */
export const runOfBoard = (body: string): string | undefined =>
  body.startsWith('### ')
    ? /<!-- echelon:record [^>\n]*?\brun=([a-z0-9]{1,32})\b/.exec(body)?.[1]
    : undefined;

/** The board of a run whose record stands on a branch. */
export const withHeadMark = (board: string, { commit, head, run }: HeadMark) =>
  `${board.slice(0, MAX_BODY - 200)}\n\n<!-- echelon:record commit=${commit} head=${head} run=${run} -->`;

/** Only bodies written by the bot itself may be asked. */
export function headMarkOf(body: string): (HeadMark & { board: string }) | undefined {
  const found = /<!-- echelon:record commit=(\d{1,9}) head=([0-9a-f]{40}) run=([a-z0-9]{1,32}) -->\s*$/.exec(
    body,
  );
  if (!found) return undefined;
  const [, commit, head = '', run = ''] = found;
  return { commit: Number(commit), head, run, board: body.slice(0, found.index) };
}
