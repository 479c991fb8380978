// Asks the evaluator which of several changes is the best: one conversation, which sees the diffs by number and no checkout.
import { z } from 'zod';
import type { Deadline } from '@echelon/ground';
import {
  fencedOff,
  quoted,
  quotedLine,
  quoteForModel,
  smallDiffs,
  TaskError,
} from '../../../engine/texts.ts';
import { guarded, type Model, ProviderWait } from '../../../engine/models.ts';
import { askApart, evaluationOf } from '../../../engine/engine.ts';
import type { Ranked } from '../../../engine/parts.ts';
import { attemptKey, modelsOf, shownTokens } from './evaluation.ts';
import { libraryOf } from './job.ts';
import type { JobReport } from '../jobs/report-spec.ts';
import type { JobSpec } from '../jobs/job-spec.ts';
import type { Part } from './purse.ts';
import type { JobHost } from './workplace.ts';

/** A candidate by its place, from 0, and its patch. */
export interface Change {
  place: number;
  diff: string;
}

interface Ranking {
  spec: JobSpec;
  host: JobHost;
  /** Its part of the budget, and the most that it may cost (USD). */
  part: Part;
  most: number;
  time: Deadline;
  onSummary: (session: JobReport['sessions'][number]) => void;
}

const Verdict = z.object({ best: z.int(), why: z.string() });

/**
 * Undefined where it does not decide: it finds none better, cannot be understood, fails, or there is no money or time for
 * it. The changes are accepted all the same.
 */
export async function rankChanges(changes: readonly Change[], ranking: Ranking): Promise<Ranked | undefined> {
  const { spec, host, time } = ranking;
  const { model } = await host.openModel([]);
  const ask = askApart(optionsOf(ranking, model));
  const tokens = Math.floor(shownTokens({ spec, model }) / changes.length);
  const { number, title, body } = spec.issue;
  const shown = changes.map(
    ({ place, diff }) => `## Change ${place + 1}\n\n${fencedOff(smallDiffs(diff, tokens, tokens))}`,
  );
  const inputs = {
    issue_number: String(number),
    issue_title: quotedLine(quoteForModel(title).text),
    issue_body: quoted(quoteForModel(body).text),
    candidates: shown.join('\n\n'),
  };
  try {
    time.signal.throwIfAborted();
    const { outputs } = await ask('pick-candidate', inputs, 'pick');
    const { data } = Verdict.safeParse(outputs);
    return data && { place: data.best - 1, said: data.why.trim().slice(0, 1000) };
  } catch (error) {
    host.signal.throwIfAborted();
    if (!(error instanceof TaskError || error instanceof ProviderWait || time.expired()))
      host.unexpected(error);
    return undefined;
  }
}

function optionsOf({ spec, host, part, most, time, onSummary }: Ranking, model: Model) {
  const { clock, progress, sandbox } = host;
  const { models, modelRows, behind } = modelsOf(spec);
  return evaluationOf({
    model: guarded(model, { clock, behind }).within({
      most,
      name: "what is left of the job's budget",
      timeoutMs: spec.limits.attempt_ms,
      onSpent: ({ cost_usd, model_calls }) =>
        part.spend({
          cost_usd: part.spentBefore.cost_usd + cost_usd,
          model_calls: part.spentBefore.model_calls + model_calls,
        }),
    }),
    library: libraryOf(spec),
    ...{ sandbox, reasoning: spec.reasoning, settings: spec.settings },
    sessions: { onSummary },
    // The evaluator of the rounds judges here too.
    ...{ models: name => models(name, 'engineer.evaluator'), modelRows },
    ...{ clock, signal: time.signal, key: attemptKey(spec), scope: spec.op },
    onEvent(event) {
      host.onSession?.(event);
      if (event.type === 'model_reply') progress({ type: 'model_reply', task: event.task, at: clock.now() });
    },
  });
}
