// A run as lines for people: what happened, when, to what; and a sign of life while nothing does.
import type { AnyJobSpec, JobProgress } from '../../app/job.ts';
import type { TaskEvent } from '../../engine/engine.ts';
import { dollars, layerName, seconds } from '../../app/views.ts';
import type { RunEvent, RunNotice } from '../../app/app.ts';
import type { Live } from './live.ts';

export type Timeline = ReturnType<typeof timeline>;

/** Without output for this long, a line says what is being waited for (milliseconds). */
const QUIET_MS = 10_000;

/** `live`: of the terminal that `write` writes to. */
export function timeline(
  write: (line: string) => void,
  { colour, all, live }: { colour: boolean; all: boolean; live?: Live | undefined },
) {
  const began = Date.now();
  const busy = new Map<string, number>();
  let last = began;
  const paint = (code: number, text: string) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text);
  let isOver = false;
  const say = (subject: string, text: string, code = 0) => {
    if (isOver) return;
    last = Date.now();
    const time = paint(2, `${((last - began) / 1000).toFixed(1).padStart(7)} s`);
    // Titles and replies are others' text: nothing in them may steer the terminal.
    const plain = text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim();
    write(`${time}  ${subject.padEnd(18)} ${code ? paint(code, plain) : plain}`);
  };
  const beat = setInterval(() => {
    if (Date.now() - last < QUIET_MS || busy.size === 0) return;
    const [what, since] = [...busy][0]!;
    say('...', `still at work: ${what}, for ${seconds(Date.now() - since)}`, 2);
  }, 1000);
  beat.unref();
  const begin = (what: string) => busy.set(what, Date.now());

  return {
    say,
    /** Nothing is written after it: what is being closed may still go on. */
    end(): void {
      isOver = true;
      clearInterval(beat);
      live?.end();
    },
    /** Streams layers' output below the lines, on a terminal. */
    session: (event: TaskEvent): void => live?.event(event),
    /** Writes nothing below the lines while `act` has the terminal. */
    aside: <T>(act: () => Promise<T>): Promise<T> => (live ? live.aside(act) : act()),
    notice(notice: RunNotice): void {
      const line = lineOf(notice);
      if (line) say(...line);
      else if (all) say(notice.type, JSON.stringify(notice), 2);
      if (notice.type === 'agent_status') {
        if (notice.status === 'thinking') begin(layerName(notice.layer));
        else busy.delete(layerName(notice.layer));
      }
      if (notice.type === 'slot_changed') {
        if (notice.to === 'running') begin(`#${notice.issue}`);
        else busy.delete(`#${notice.issue}`);
      }
    },
    progress(spec: AnyJobSpec, line: JobProgress): void {
      const shown = 'kind' in spec ? undefined : progressOf(spec.issue.number, line, all);
      if (shown) say(...shown);
    },
  };
}

/** As terminals number them: plain, bold, dim, red, green, yellow. */
export type LineColour = 0 | 1 | 2 | 31 | 32 | 33;

/** Subject, text and colour. */
type Line = [string, string, LineColour?];

/** `all`: also what only `--debug` shows. */
function progressOf(issue: number, line: JobProgress, all: boolean): Line | undefined {
  const which = line.candidate ? ` ${line.candidate}` : '';
  const subject = `#${issue} engineer${which}`;
  switch (line.type) {
    case 'round':
      return line.success
        ? [subject, `round ${line.round}: accepted`, 32]
        : [subject, `round ${line.round}: not accepted: ${line.feedback}`, 33];
    case 'tests':
      return [
        `#${issue} tests${which}`,
        `exited ${line.exit_code ?? 'by a signal'}`,
        line.exit_code === 0 ? 32 : 31,
      ];
    case 'tool_call':
      return all ? [subject, `${line.tool}${line.ok ? '' : ' (refused)'}`, 2] : undefined;
    case 'model_reply':
      return all ? [subject, `${line.task} replied`, 2] : undefined;
    case 'output':
      return undefined;
  }
}

const testColours = { running: 2, green: 32, red: 31, cannot_run: 31 } as const;

const togetherColours = { running: 2, green: 32, red: 31, conflict: 31, untested: 33 } as const;

/** Undefined for what only `--debug` shows. */
export function lineOf(notice: RunEvent): Line | undefined {
  switch (notice.type) {
    case 'run_started':
      return ['run', `begins: ${notice.directive}`, 1];
    case 'agent_status':
      return notice.status === 'thinking' ? [layerName(notice.layer), 'is thinking', 2] : undefined;
    case 'message':
      return [
        layerName(notice.layer),
        `replied (${seconds(notice.ms)}, ${dollars(notice.cost_usd)}): ${firstSentence(notice.content)}`,
      ];
    case 'base_tests':
      return ['tests', `at the base: ${notice.state.replace('_', ' ')}`, testColours[notice.state]];
    case 'together':
      return ['tests', `of all together: ${notice.state}`, togetherColours[notice.state]];
    case 'action_pending':
      return ['approval', `${notice.id} waits: ${notice.action}`, 33];
    case 'action_performed':
      return ['action', `${notice.id ? `${notice.id} ` : ''}${notice.action}: ${notice.result}`];
    case 'action_rejected':
      return [
        'approval',
        `${notice.id} was rejected by ${notice.by}${notice.reason ? `: ${notice.reason}` : ''}`,
        33,
      ];
    case 'action_dropped':
      return ['action', `${notice.action} dropped: ${notice.reason}`, 33];
    case 'issue_created':
      return [`#${notice.issue} issue`, `[${notice.domain}] ${notice.title}`];
    case 'slot_changed':
      return [
        `#${notice.issue} slot`,
        `${notice.from} -> ${notice.to}: ${notice.reason}`,
        notice.to === 'done' ? 32 : notice.to === 'failed' ? 31 : 0,
      ];
    case 'slot_waits':
      return [`#${notice.issue} slot`, notice.reason, 33];
    case 'question_asked':
      return [notice.id, `waits for an answer: ${notice.question}`, 33];
    case 'stuck_warning':
      return [`#${notice.issue}`, `no progress for ${notice.seconds} s`, 33];
    case 'error':
      return [notice.where, notice.message, 31];
    case 'rate_limited':
      return ['limit', `waits until ${new Date(notice.until).toISOString()}`, 33];
    case 'run_settled':
      return ['run', notice.status, notice.status === 'completed' ? 32 : 31];
    default:
      return undefined;
  }
}

function firstSentence(text: string): string {
  // Actions and code are no sentences; of the rest only the marks go, not the letters.
  const plain = text
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/^\s*[#>]+\s*/gm, '')
    .replace(/\*\*|`/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const sentence = /^.{20,160}?[.!?](?=\s|$)/.exec(plain)?.[0] ?? plain.slice(0, 160);
  return sentence.length < plain.length && !/[.!?]$/.test(sentence) ? `${sentence}...` : sentence;
}
