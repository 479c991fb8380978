// Figures, tables and folds as people read them.
import type { Figures, Range } from './view.ts';

/** `$0.03`; amounts under a cent keep four places. */
export const dollars = (usd: number) => `$${usd !== 0 && usd < 0.00995 ? usd.toFixed(4) : usd.toFixed(2)}`;

/** As it stands in a range: `0.03`; amounts under half a cent keep four places. */
export const cents = (usd: number) => (usd < 0.005 ? dollars(usd).slice(1) : usd.toFixed(2));

/** A time (milliseconds since the epoch), to the minute. */
export const utcMinute = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** Issues or pull requests by their numbers. */
export const hashed = (numbers: readonly number[]) => numbers.map(number => `#${number}`).join(', ');

/** Amounts (USD) that are shown side by side: rounded so that, as `dollars` shows them, they add up to their sum. */
export function rounded(usd: readonly number[]): number[] {
  const sum = usd.reduce((all, each) => all + each, 0);
  const unit = sum !== 0 && sum < 0.01 ? 10_000 : 100;
  const whole = usd.map(each => Math.floor(each * unit + 1e-9));
  const left = Math.round(sum * unit) - whole.reduce((all, each) => all + each, 0);
  // The remainder goes to those that were cut the most.
  const cut = (index: number) => (usd[index] ?? 0) * unit - (whole[index] ?? 0);
  const up = new Set([...usd.keys()].toSorted((a, b) => cut(b) - cut(a)).slice(0, left));
  return whole.map((each, index) => (each + (up.has(index) ? 1 : 0)) / unit);
}

/** `0.4 s`, `12 s`, `3 min 20 s`. */
export function seconds(ms: number): string {
  const s = ms / 1000;
  if (s < 10) return `${s.toFixed(1)} s`;
  if (s < 60) return `${Math.round(s)} s`;
  return `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`;
}

export const plural = (count: number, one: string, many = `${one}s`) =>
  `${count} ${count === 1 ? one : many}`;

export const table = (head: string[], rows: string[][]) =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n');

/** A graph from left to right, which GitHub draws. */
export const mermaid = (lines: readonly string[]) =>
  `\`\`\`mermaid\ngraph LR\n${lines.map(line => `  ${line}`).join('\n')}\n\`\`\``;

/** A text that is shown when its heading is clicked. */
export const folded = (heading: string, text: string) =>
  `<details><summary>${heading}</summary>\n\n${text}\n\n</details>`;

/** `about $0.90 (0.40 to 2.10), 40 minutes (25 to 70)`. */
export const estimated = ({ usd, minutes }: Figures<Range>): string =>
  `about ${dollars(usd.likely)} (${between(usd, cents)}), ${plural(whole(minutes.likely), 'minute')} (${between(minutes, whole)})`;

export const between = ({ low, high }: Range, shown: (value: number) => number | string) =>
  `${shown(low)} to ${shown(high)}`;
/** Nothing takes no time at all. */
export const whole = (minutes: number) => Math.max(1, Math.round(minutes));
