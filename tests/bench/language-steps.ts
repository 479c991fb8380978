// Overhead of a step with an immediate model, with and without a journal, compared with peers.
import { type Figure, type Report, rounded } from './figures.ts';
import { interleaved } from './measure.ts';
import { Subject } from './subject.ts';
import type { Scenario } from './subjects/scenario.ts';

/** Microseconds a step. */
const AIM_US = { bare: 10, journal: 13 };
/** Times as fast as the fastest of the peers. */
const AIM_LEAD = 3;
/** A step of the longest sequence may cost so many times one of the shortest: more would not be noise. */
const AIM_GROWTH = 1.3;
/** For all rounds: the whole benchmark has four minutes, on a busy machine too. */
const BUDGET_MS = 100_000;

const shapes: Pick<Scenario, 'shape' | 'size'>[] = [
  { shape: 'sequence', size: 5 },
  { shape: 'sequence', size: 50 },
  { shape: 'sequence', size: 500 },
  { shape: 'map', size: 100 },
  { shape: 'map', size: 1000 },
];
const scenarios: Scenario[] = [false, true].flatMap(journal => shapes.map(shape => ({ ...shape, journal })));

const titleOf = ({ shape, size, journal }: Scenario) =>
  `${shape} of ${size.toLocaleString('en-US')}${journal ? ', journal' : ''}`;

export async function steps(withPeers: boolean): Promise<Report> {
  const ours = new Subject('Echelon', 'echelon.ts');
  const plain = new Subject('plain async functions', 'plain.ts');
  const peers = withPeers
    ? [
        new Subject('LangGraph.js', 'langgraph.mjs'),
        new Subject('XState', 'xstate.mjs'),
        new Subject('Mastra', 'mastra.mjs'),
      ]
    : [];
  const subjects = [ours, plain, ...peers];
  const { medians, failed } = await interleaved(
    scenarios.flatMap(scenario =>
      subjects.map(subject => ({
        name: nameOf(subject, scenario),
        measure: (warm: boolean) => subject.measure(scenario, warm),
      })),
    ),
    BUDGET_MS,
  );
  for (const subject of subjects) subject.close();

  const costOf = (subject: Subject, scenario: Scenario) => medians.get(nameOf(subject, scenario)) ?? null;
  const figures = scenarios.flatMap((scenario): Figure[] => {
    const title = titleOf(scenario);
    const value = costOf(ours, scenario);
    const limit = costOf(plain, scenario);
    const aim = scenario.journal ? AIM_US.journal : AIM_US.bare;
    const baseline = { name: plain.name, value: limit === null ? null : rounded(limit) };
    const others = peers.map(peer => ({ name: peer.name, value: costOf(peer, scenario) }));
    return [
      {
        name: `Echelon, ${title}`,
        value: value === null ? null : rounded(value),
        unit: 'us',
        baseline,
        aim: `<= ${aim} us`,
        ok: value !== null && value <= aim,
      },
      lead(title, value, others),
      ...others.map(other => ({
        name: `${other.name}, ${title}`,
        value: other.value === null ? null : rounded(other.value),
        unit: 'us',
        baseline,
        aim: '',
        ok: true,
      })),
    ];
  });
  const growths = [false, true].map(journal => {
    const at = (size: number) => costOf(ours, { shape: 'sequence', size, journal });
    return growth(journal, at(5), at(500));
  });
  return { figures: [...figures, ...growths], notes: notesOn(failed) };
}

const nameOf = (subject: Subject, scenario: Scenario) => `${subject.name}, ${titleOf(scenario)}`;

/** Speed compared with the fastest of the others. */
function lead(title: string, ours: number | null, others: { name: string; value: number | null }[]): Figure {
  const fastest = others
    .filter(other => other.value !== null)
    .toSorted((a, b) => a.value! - b.value!)
    .at(0);
  const value = ours === null || !fastest ? null : fastest.value! / ours;
  return {
    name: `lead over the fastest peer, ${title}`,
    value: value === null ? null : rounded(value),
    unit: 'x',
    baseline: {
      name: fastest ? `${fastest.name} (us)` : 'no peer',
      value: fastest ? rounded(fastest.value!) : null,
    },
    aim: `>= ${AIM_LEAD} x`,
    ok: value !== null && value >= AIM_LEAD,
  };
}

function growth(journal: boolean, short: number | null, long: number | null): Figure {
  const value = short === null || long === null ? null : long / short;
  return {
    name: `a step of 500 against one of 5${journal ? ', journal' : ''}`,
    value: value === null ? null : rounded(value),
    unit: 'x',
    baseline: { name: 'sequence of 5 (us)', value: short === null ? null : rounded(short) },
    aim: `<= ${AIM_GROWTH} x`,
    ok: value !== null && value <= AIM_GROWTH,
  };
}

/** One note for each reason, however often it struck. */
function notesOn(failed: ReadonlyMap<string, string>): string[] {
  const byReason = new Map<string, string[]>();
  for (const [name, reason] of failed) byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  return [...byReason].map(([reason, names]) => `not available: ${names.join('; ')}: ${reason}`);
}
