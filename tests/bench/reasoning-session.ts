// Overhead of a session per iteration with an immediate model.
import { type Figure, type Report, rounded } from './figures.ts';
import { interleaved } from './measure.ts';
import { Subject } from './subject.ts';
import type { SessionScenario } from './subjects/session.ts';

/** Microseconds an iteration. */
const AIM_US = 100;
const ITERATIONS = 20;
const BUDGET_MS = 15_000;

const forms: SessionScenario['form'][] = ['tags', 'calls'];

export async function sessions(): Promise<Report> {
  const ours = new Subject('Echelon', 'session.ts');
  const plain = new Subject('plain loop', 'session.ts');
  const { medians, failed } = await interleaved(
    forms.flatMap(form =>
      [ours, plain].map(subject => {
        const scenario: SessionScenario = { form, iterations: ITERATIONS, bare: subject === plain };
        return { name: nameOf(subject, form), measure: warm => subject.measure(scenario, warm) };
      }),
    ),
    BUDGET_MS,
  );
  ours.close();
  plain.close();
  const figures = forms.map((form): Figure => {
    const of = (subject: Subject) => {
      const us = medians.get(nameOf(subject, form));
      return us === undefined ? null : rounded(us);
    };
    const value = of(ours);
    return {
      name: `iteration of a session, ${form}`,
      value,
      unit: 'us',
      baseline: { name: plain.name, value: of(plain) },
      aim: `<= ${AIM_US} us`,
      ok: value !== null && value <= AIM_US,
    };
  });
  return { figures, notes: [...failed].map(([name, reason]) => `not available: ${name}: ${reason}`) };
}

const nameOf = (subject: Subject, form: string) => `${subject.name}, session with ${form}`;
