// Summary on the page of a job: an engineer's lines and result, or the state of the run.
import { candidates, dollars, type RunView, seconds } from '../../app/views.ts';
import type { MatrixEntry } from '../../app/app.ts';
import type { AnyJobReport, JobProgress, JobReport } from '../../app/job.ts';
import { fencedOff } from '../../engine/texts.ts';

/** Characters of a text by a model or of the tests that the summary shows. */
const SHOWN = 4000;

/** Markdown; what models and tests wrote stands fenced off. */
export function jobSummary(report: AnyJobReport): string {
  if (report.kind === 'base-tests' || report.kind === 'integration') {
    const { kind, state, why, exit_code, tail } = report;
    const how = state === 'cannot_run' ? `could not run: ${why}` : `${state} (exit code ${exit_code})`;
    return parts([
      `### Tests ${kind === 'integration' ? 'of all together' : 'at the base'}: ${how}`,
      `${seconds(report.ms)}.`,
      tail,
    ]);
  }
  const { tests, rounds, cost_usd, model_calls, ms, isolation } = report;
  const tested = tests ? `Tests \`${tests.command}\`: exit code ${tests.exit_code}.` : 'No tests ran.';
  const spent = `${rounds} rounds, ${model_calls} model calls, ${dollars(cost_usd)}, ${seconds(ms)}, isolation: ${isolation}.`;
  const several = report.candidates ? `\n${candidates(report.candidates)}\n` : '';
  return parts([`### ${titleOf(report)}`, `${tested} ${spent}`, textOf(report)]) + several;
}

function titleOf(report: JobReport): string {
  if (report.kind === 'bundle') return 'Accepted: the change is handed over';
  return report.kind === 'question' ? 'Waits for an answer' : `Not done: ${report.class}`;
}

function textOf(report: JobReport): string {
  if (report.kind === 'bundle') return report.summary;
  return report.kind === 'question' ? report.question : report.feedback;
}

const parts = ([title = '', line = '', text = '']: readonly string[]): string =>
  `${title}\n\n${line}\n\n${text === '' ? '' : `${fencedOff(text.slice(0, SHOWN).toWellFormed())}\n`}`;

/** A line of the log for what people wait for; undefined for the rest. */
export function logLine(line: JobProgress): string | undefined {
  const said = wordsOf(line);
  return said !== undefined && line.candidate ? `candidate ${line.candidate}: ${said}` : said;
}

function wordsOf(line: JobProgress): string | undefined {
  if (line.type === 'tests') return `tests exited ${line.exit_code ?? 'without a code'}`;
  if (line.type === 'tool_call') return `tool ${line.tool}${line.ok ? '' : ' was refused'}`;
  if (line.type === 'round')
    return `round ${line.round}: ${line.success ? 'accepted' : `not accepted: ${line.feedback.replace(/\s+/g, ' ').slice(0, 300)}`}`;
  return undefined;
}

/** State of the run, its cost, and the jobs handed out. */
export function runSummary(
  directive: number | undefined,
  view: RunView | undefined,
  begins: readonly MatrixEntry[],
  ignored: string | undefined,
): string {
  if (directive === undefined || !view) return `Nothing to do here${ignored ? `: ${ignored}` : ''}.\n`;
  const lines = [
    `### Echelon #${directive}: ${view.status}`,
    `$${view.cost_usd.toFixed(2)} of $${view.budget_usd} spent; ${view.issues.length} issues.`,
    ...begins.map(({ title }) => `- begins: ${title}`),
  ];
  return `${lines.join('\n\n')}\n`;
}
