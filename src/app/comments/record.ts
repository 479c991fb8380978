// Texts about the record: closed segments, reverted edits, unreadable records.
import { code } from './listing.ts';
import { neutralLine } from './neutral.ts';

export const partComment = (seq: number, encoded: string) =>
  `<details><summary>Record, part ${seq}</summary>\n\nEchelon keeps its record in comments. Please leave this one as it is.\n\n</details>\n\n<!-- echelon:part -->\n${encoded}`;

export const restoredNotice = (editor: string) =>
  `The run comment was edited by ${code(editor)}. It holds the run's record, so the text before was put back.`;

export const troubleNotice = (why: string) =>
  `The record of this run cannot be relied on: ${neutralLine(why)}. Nothing more is done here. Remove the label and put it on again to begin a new run.`;

/** The run whose board and record a comment is; parts of a record begin otherwise. */
export const runOfBoard = (body: string): string | undefined =>
  body.startsWith('### ')
    ? /<!-- echelon:record [^>\n]*?\brun=([a-z0-9]{1,32})\b/.exec(body)?.[1]
    : undefined;

/** Early versions could keep a record on a branch; the run comment then named its newest commit. */
export const isRecordOnBranch = (body: string): boolean =>
  /<!-- echelon:record commit=\d+ head=[0-9a-f]{40} /.test(body);

/** For `troubleNotice`. */
export const recordOnBranch = 'it stands on a branch, which this version of Echelon does not read';
