// Candidates of an attempt: the chosen one with the reason, and the result and cost of each.
import { attemptEnd, exited } from './attempt-end.ts';
import { dollars, folded, rounded, table } from './figures.ts';
import { clip, neutral } from './neutral.ts';

export interface CandidatesView {
  /** From 1, as `each` has them. */
  taken: number;
  why: 'only' | 'alike' | 'ranked' | 'smallest' | 'none';
  /** The evaluator's words; else empty. */
  said: string;
  ranking_usd: number;
  each: readonly {
    /** `bundle`, `question`, or the class of its failure. */
    end: string;
    /** Null: ended by a signal; absent: no tests ran. */
    exit_code?: number | null;
    rounds: number;
    cost_usd: number;
    /** Of its patch. */
    bytes?: number;
  }[];
}

const reasons: Readonly<Record<CandidatesView['why'], string>> = {
  only: 'no other was accepted',
  alike: 'those that were accepted made the same change',
  ranked: 'the evaluator put it first',
  smallest: 'its change is the smallest of those that were accepted',
  none: 'none was accepted, and this one is gone on from',
};

/** `Candidate 2 of 3 was taken: no other was accepted`. */
export const candidateTaken = ({ taken, why, each }: CandidatesView): string =>
  `Candidate ${taken} of ${each.length} was taken: ${reasons[why]}`;

/** A folded table; what they cost adds up to the attempt's cost. */
export function candidates(view: CandidatesView): string {
  const { taken, said, ranking_usd, each } = view;
  const usd = rounded([...each.map(({ cost_usd }) => cost_usd), ranking_usd]);
  const cost = (index: number) => dollars(usd[index] ?? 0);
  const rows = each.map(({ end, exit_code, rounds, bytes }, index) => [
    index + 1 === taken ? `**${taken}, taken**` : String(index + 1),
    end === 'bundle' ? 'accepted' : end === 'question' ? 'asked a question' : attemptEnd(end),
    exit_code === undefined ? '' : exited({ exit_code }),
    String(rounds),
    bytes === undefined ? '' : `${(bytes / 1024).toFixed(1)} KB`,
    cost(index),
  ]);
  if (ranking_usd > 0) rows.push(['choosing', '', '', '', '', cost(each.length)]);
  const words = said.trim() === '' ? '' : `\n\n${clip(neutral(said), 1000).replace(/^/gm, '> ')}`;
  return folded(
    candidateTaken(view),
    `${table(['Candidate', 'End', 'Tests', 'Rounds', 'Patch', 'Cost'], rows)}${words}`,
  );
}
