// Rounds of a job, and its stretches of testing and judging, from the progress lines it reports.
import type { JobProgress } from '../../../app/job.ts';
import type { Bar } from '@echelon/forge';

/**
 * `from`, `to`: when the job was asked for and when it had ended, or now (milliseconds since the epoch). Nothing lies
 * outside of that, and nothing goes backward, whatever the clocks said.
 */
export function roundsOf(
  lines: readonly JobProgress[],
  { from, to }: { from: number; to: number },
): { rounds: string[]; bars: Bar[] } {
  const rounds: string[] = [];
  const bars: Bar[] = [];
  for (const [candidate, own] of Map.groupBy(lines, line => line.candidate)) {
    const of = candidate === undefined ? '' : `candidate ${candidate}`;
    const says = (words: string) => [of, words].filter(Boolean).join(', ');
    let passed = from;
    let tested: { at: number; ran: 'green' | 'red' } | undefined;
    let number = 1;
    for (const line of own) {
      const at = Math.min(Math.max(line.at, passed), Math.max(from, to));
      if (line.type === 'tests') {
        const { exit_code: exit } = line;
        const how = exit === 0 ? 'green' : exit === null ? 'ended by a signal' : `red, exited ${exit}`;
        bars.push({ doing: 'tests', from: passed, to: at, says: says(`tests of round ${number}: ${how}`) });
        tested = { at, ran: exit === 0 ? 'green' : 'red' };
      } else if (line.type === 'round') {
        const came = `${line.success ? '' : 'not '}accepted`;
        // Without tests it is not told when the judging began.
        if (tested)
          bars.push({ doing: 'judges', from: tested.at, to: at, says: says(`round ${line.round}: ${came}`) });
        rounds.push(`${of} ${line.round}: ${tested ? `tests ${tested.ran}, ` : ''}${came}`.trim());
        number = line.round + 1;
        tested = undefined;
      }
      // Output may be that of the tests themselves.
      if (line.type !== 'output') passed = at;
    }
  }
  return { rounds, bars };
}
