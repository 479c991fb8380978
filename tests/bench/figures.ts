// Results of a benchmark: figures, their baselines and aims, as a table and as JSON.

export interface Figure {
  name: string;
  /** null: it could not be measured; a note of the report says why. */
  value: number | null;
  unit: string;
  /** Measured in the same run, in the figure's unit unless its name says otherwise. */
  baseline: { name: string; value: number | null };
  /** Such as `<= 10 us`; empty when the figure is there to be looked at only. */
  aim: string;
  /** True if the aim is met, or if there is none; false if there is an aim and no value. */
  ok: boolean;
}

export interface Report {
  figures: Figure[];
  /** Failed measurements, with the reason: one sentence each. */
  notes: string[];
}

/** The figures in aligned columns of plain text; a missed aim is shown, nothing more. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, value, unit, baseline, aim, ok }) => [
    name,
    shown(value),
    unit,
    baseline.name,
    shown(baseline.value),
    aim,
    aim === '' ? '' : value === null ? 'not available' : ok ? 'ok' : 'missed',
  ]);
  const header = ['figure', 'value', 'unit', 'baseline', 'value', 'aim', ''];
  const numeric = new Set([1, 4]);
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map(row => row[column]!.length)),
  );
  return [header, ...rows]
    .map(row =>
      row
        .map((cell, column) =>
          numeric.has(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Rounded to three digits that count: more would be noise. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3));
}

function shown(value: number | null): string {
  return value === null ? '-' : value.toLocaleString('en-US', { maximumFractionDigits: 6 });
}
