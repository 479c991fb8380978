// Summaries of reasoning sessions, and the unhealthy ones.
import type { SessionSummary } from '../../engine/models.ts';
import { dollars, plural, seconds } from './figures.ts';
import { code, neutralLine } from './neutral.ts';

/** Empty for a session that only answered: there is nothing to tell. */
export function sessionLines(session: SessionSummary): string {
  const { iterations, operations, errors, health, executions, instead = [] } = session;
  if (operations === 0 && errors === 0 && health === 'healthy' && instead.length === 0) return '';
  const rows = [
    `- ${plural(iterations, 'iteration')}, ${plural(operations, 'operation')}, ${plural(errors, 'error')}`,
    `- health: ${health}`,
    ...instead.map(line => `- ${neutralLine(line)}`),
    ...executions.map(
      ({ state, ms, result }) =>
        `- JavaScript ${state} after ${seconds(ms)}${result === '' ? '' : `: ${code(neutralLine(result, 80))}`}`,
    ),
  ];
  return `What the session did:\n${rows.join('\n')}`;
}

/** A line for each task that another model than its own has answered. */
export function answeredInstead(sessions: readonly SessionSummary[]): string {
  const rows = sessions.flatMap(({ task, instead = [] }) =>
    instead.map(line => `- ${code(task)}: ${neutralLine(line)}`),
  );
  return rows.length === 0 ? '' : `**Another model answered**\n\n${[...new Set(rows)].slice(-5).join('\n')}`;
}

/** A line for each session that ended otherwise than healthy, the newest first; empty where all were. */
export function unwellSessions(sessions: readonly SessionSummary[]): string {
  const unwell = sessions.filter(({ health }) => health !== 'healthy').toReversed();
  if (unwell.length === 0) return '';
  const rows = unwell
    .slice(0, 5)
    .map(
      ({ task, key, health, errors, iterations, cost_usd }) =>
        `- ${code(task)} (${code(key)}): ${health}, ${plural(errors, 'error')} in ${plural(iterations, 'iteration')}, ${dollars(cost_usd)}`,
    );
  return `**${plural(unwell.length, 'session was', 'sessions were')} not healthy**\n\n${rows.join('\n')}`;
}
