// How fast a program is parsed and checked, against a scanner that builds nothing.
import { type Figure, type Report, rounded } from './figures.ts';
import { interleaved } from './measure.ts';
import { Subject } from './subject.ts';
import type { ParseScenario } from './subjects/parse.ts';

/** Our parse may take so many times as long as bare saxes. */
const AIM = 3;
const BUDGET_MS = 20_000;

/** The second is the longest program that is read at all: a mebi of characters. */
const sizes: [name: string, characters: number][] = [
  ['200 KB', 200_000],
  ['1 MB', 1_048_576],
];

export async function parsing(): Promise<Report> {
  const ours = new Subject('Echelon', 'parse.ts');
  const saxes = new Subject('bare saxes', 'parse.ts');
  const contestants = sizes.flatMap(([size, characters]) =>
    [ours, saxes].map(subject => {
      const scenario: ParseScenario = { characters, bare: subject === saxes };
      const measure = (warm: boolean) => subject.measure(scenario, warm);
      return { name: `${subject.name}, ${size}`, measure };
    }),
  );
  const { medians, failed } = await interleaved(contestants, BUDGET_MS);
  ours.close();
  saxes.close();
  // A byte a microsecond is a megabyte a second.
  const rate = (name: string) => {
    const us = medians.get(name);
    return us === undefined ? null : rounded(1 / us);
  };
  const figures = sizes.map(([size]): Figure => {
    const value = rate(`${ours.name}, ${size}`);
    const baseline = rate(`${saxes.name}, ${size}`);
    return {
      name: `parse and check, ${size}`,
      value,
      unit: 'MB/s',
      baseline: { name: saxes.name, value: baseline },
      aim: `<= ${AIM} x the time of bare saxes`,
      ok: value !== null && baseline !== null && baseline / value <= AIM,
    };
  });
  return { figures, notes: [...failed].map(([name, reason]) => `${name}: ${reason}`) };
}
