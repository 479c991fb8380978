// Speed of reading the tags of a reply, also if none of them is closed.
import { type Figure, type Report, rounded } from './figures.ts';
import { interleaved } from './measure.ts';
import { Subject } from './subject.ts';
import type { TagScenario } from './subjects/tags.ts';

const BUDGET_MS = 40_000;

interface Row {
  name: string;
  scenario: Omit<TagScenario, 'bare'>;
  /** The baseline's method. */
  baseline: string;
  unit: 'MB/s' | 'ms';
  /** At least so many MB/s; at most so much time. */
  aim: number;
}

const MB = 1_048_576;
const rows: Row[] = [
  {
    name: 'tags of a transcript of 1 MB',
    scenario: { shape: 'whole', characters: MB, isWide: false },
    baseline: 'bare indexOf',
    unit: 'MB/s',
    aim: 500,
  },
  {
    name: 'the same, beyond Latin-1',
    scenario: { shape: 'whole', characters: MB, isWide: true },
    baseline: 'bare indexOf',
    unit: 'MB/s',
    aim: 500,
  },
  {
    name: '5,000 unclosed tags in 100 KB',
    scenario: { shape: 'unclosed', characters: 100_000, isWide: false },
    baseline: 'indexOf for each',
    unit: 'ms',
    aim: 10,
  },
];

export async function tags(withPeers: boolean): Promise<Report> {
  const ours = new Subject('Echelon', 'tags.ts');
  const bare = new Subject('bare', 'tags.ts');
  const peers = withPeers ? [new Subject('htmlparser2', 'htmlparser2.mjs')] : [];
  const subjectsOf = ({ unit }: Row) => (unit === 'MB/s' ? [ours, bare, ...peers] : [ours, bare]);
  const { medians, failed } = await interleaved(
    rows.flatMap(row =>
      subjectsOf(row).map(subject => {
        const scenario: TagScenario = { ...row.scenario, bare: subject === bare };
        const measure = (warm: boolean) => subject.measure(scenario, warm);
        return { name: nameOf(subject, row), measure };
      }),
    ),
    BUDGET_MS,
  );
  for (const subject of [ours, bare, ...peers]) subject.close();

  const figures = rows.flatMap((row): Figure[] => {
    const { name, unit, aim } = row;
    const of = (subject: Subject) => inUnit(unit, medians.get(nameOf(subject, row)));
    const value = of(ours);
    const baseline = { name: row.baseline, value: of(bare) };
    const isRate = unit === 'MB/s';
    const ok = value !== null && (isRate ? value >= aim : value <= aim);
    return [
      { name, value, unit, baseline, aim: `${isRate ? '>=' : '<='} ${aim} ${unit}`, ok },
      ...(isRate ? peers : []).map(peer => ({
        name: `${peer.name}, ${name}`,
        value: of(peer),
        unit,
        baseline,
        aim: '',
        ok: true,
      })),
    ];
  });
  return { figures, notes: [...failed].map(([name, reason]) => `not available: ${name}: ${reason}`) };
}

const nameOf = (subject: Subject, { name }: Row) => `${subject.name}, ${name}`;

/** `us` for each byte, or for each text. */
function inUnit(unit: Row['unit'], us: number | undefined): number | null {
  if (us === undefined) return null;
  // A byte a microsecond is a megabyte a second.
  return rounded(unit === 'MB/s' ? 1 / us : us / 1000);
}
