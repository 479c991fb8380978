// What people read where one issue's work went straight to the team lead (`layers: auto`).
import { dollars, plural } from './figures.ts';

/** Beside the plan that says so. */
export const goesOnStraight = 'the engineering lead is not asked';

/** Beside what the team lead listed, where it was more. */
export const tooManyForOne = 'withdrawn: it is more than one, so the engineering lead is asked first';

/** What the engineering lead took in runs that are known: the middle of them. */
export interface Saved {
  calls: number;
  usd: number;
  runs: number;
}

/** Above the actions of a listing. */
export function notAsked(saved: Saved | undefined): string {
  const measured = saved
    ? `That saved about ${plural(saved.calls, 'model call')} and ${dollars(saved.usd)}, which is what it took in the ${plural(saved.runs, 'run')} known here.`
    : 'What that saved is not known: no run known here has asked it.';
  return `**The engineering lead was not asked** (\`layers: auto\`): the strategist finds one issue's work. ${measured}`;
}
