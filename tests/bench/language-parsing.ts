// Time to parse and check the product's largest program, compared with a scanner that builds nothing.
import { type Figure, type Report, rounded } from './figures.ts';
import { interleaved } from './measure.ts';
import { Subject } from './subject.ts';
import type { ParseScenario } from './subjects/parse.ts';

/** Milliseconds: nobody who starts a program notices that. */
const AIM_MS = 5;
const BUDGET_MS = 20_000;

export async function parsing(): Promise<Report> {
  const ours = new Subject('Echelon', 'parse.ts');
  const saxes = new Subject('bare saxes', 'parse.ts');
  const contestants = [ours, saxes].map(subject => {
    const scenario: ParseScenario = { bare: subject === saxes };
    return { name: subject.name, measure: (warm: boolean) => subject.measure(scenario, warm) };
  });
  const { medians, failed } = await interleaved(contestants, BUDGET_MS);
  ours.close();
  saxes.close();
  const ms = ({ name }: Subject) => {
    const us = medians.get(name);
    return us === undefined ? null : rounded(us / 1000);
  };
  const value = ms(ours);
  const figure: Figure = {
    name: 'parse and check, largest program',
    value,
    unit: 'ms',
    baseline: { name: saxes.name, value: ms(saxes) },
    aim: `<= ${AIM_MS} ms`,
    ok: value !== null && value <= AIM_MS,
  };
  return { figures: [figure], notes: [...failed].map(([name, reason]) => `${name}: ${reason}`) };
}
