// The spans of a run: what began and ended when, within what, with what it came to and what it cost.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { type Clock, messageOf } from '@echelon/ground';
import { addSpent, nothingSpent, type Spent, TaskError } from '../../language/result.ts';
import { ModelFailure, type Model } from '../../models/model.ts';
import type { Attributes } from './attributes.ts';

/** `client`: it asks another process; `internal`: it is done here. */
type SpanKind = 'internal' | 'client';

/** Something that happened while a span was open. Times in milliseconds since the epoch. */
interface SpanEvent {
  name: string;
  at: number;
  attributes: Attributes;
}

/** A span that has ended. */
export interface Span {
  trace: string;
  id: string;
  parent: string | undefined;
  name: string;
  kind: SpanKind;
  started: number;
  ended: number;
  attributes: Attributes;
  events: readonly SpanEvent[];
  /** Absent: it ended well. */
  error: { type: string; message: string } | undefined;
}

export interface Start {
  name: string;
  kind?: SpanKind;
  /** Asked for when the span ends, so that nothing long is kept meanwhile. */
  attributes: () => Attributes;
}

export interface OpenSpan {
  /** Besides those that it began with. */
  set(attributes: Attributes): void;
  /** Books what model calls cost, here and in every span around. */
  spend(spent: Spent): void;
}

export interface Trace {
  /** Runs `act` in a span of its own, within the one that the caller is in; throws what it throws. */
  span<T>(start: Start, act: (span: OpenSpan) => Promise<T>): Promise<T>;
  /** Tells of something in the span that the caller is in; outside of one, nothing. */
  event(name: string, attributes: Attributes): void;
}

/** Receiver of spans. */
interface SpanSink {
  /** Called before the first of them begins. */
  begin(): void;
  /** Called when it has ended: those within it before it. */
  write(span: Span): void;
}

/** Events of one span that are kept: what is tried again and again says the same. */
const MOST_EVENTS = 100;

export function openTrace(sink: SpanSink, clock: Pick<Clock, 'now'>): Trace {
  const trace = randomBytes(16).toString('hex');
  const inside = new AsyncLocalStorage<Working>();
  let begun = false;
  return {
    async span({ name, kind = 'internal', attributes }, act) {
      const started = clock.now();
      if (!begun) sink.begin();
      begun = true;
      const span = new Working(inside.getStore());
      const ended = (error: Span['error']) =>
        sink.write({
          ...{
            trace,
            id: span.id,
            parent: span.parent?.id,
            name,
            kind,
            started,
            ended: clock.now(),
          },
          attributes: {
            ...attributes(),
            ...(error && { 'error.type': error.type }),
            ...(span.spent.turns > 0 && spentOf(span.spent)),
            ...span.own,
          },
          ...{ events: span.events, error },
        });
      let done: Awaited<ReturnType<typeof act>>;
      try {
        done = await inside.run(span, () => act(span));
      } catch (error) {
        ended({ type: errorType(error), message: messageOf(error) });
        throw error;
      }
      ended(undefined);
      return done;
    },
    event(name, attributes) {
      const { events } = inside.getStore() ?? {};
      if (events && events.length < MOST_EVENTS) events.push({ name, at: clock.now(), attributes });
    },
  };
}

class Working implements OpenSpan {
  readonly id = randomBytes(8).toString('hex');
  readonly events: SpanEvent[] = [];
  spent = nothingSpent;
  own: Attributes = {};
  readonly parent: Working | undefined;
  constructor(parent: Working | undefined) {
    this.parent = parent;
  }

  set(attributes: Attributes): void {
    this.own = { ...this.own, ...attributes };
  }

  spend(spent: Spent): void {
    this.spent = addSpent(this.spent, spent);
    this.parent?.spend(spent);
  }
}

const spentOf = ({ turns, cost_usd, usage }: Spent): Attributes => ({
  // All tokens that went in, as the conventions count them; the cache's are among them.
  'gen_ai.usage.input_tokens': usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens,
  'gen_ai.usage.output_tokens': usage.output_tokens,
  'gen_ai.usage.cache_read.input_tokens': usage.cache_read_tokens,
  'gen_ai.usage.cache_creation.input_tokens': usage.cache_write_tokens,
  'echelon.model_calls': turns,
  'echelon.cost_usd': cost_usd,
});

/** Few values, by which errors can be counted: the class of a model's failure, the code of a task's, else the error's name. */
function errorType(error: unknown): string {
  if (error instanceof ModelFailure) return error.class;
  if (error instanceof TaskError)
    return error.detail.code === 'TASK_FAILURE' ? error.detail.reason : error.code;
  return error instanceof Error ? error.name : '_OTHER';
}

/** `model`, whose failures stand in the span of the call that they are tries of. */
export const tellingTries = (model: Model, trace: Trace): Model => ({
  ...model,
  async call(request, onEvent) {
    try {
      return await model.call(request, onEvent);
    } catch (error) {
      if (error instanceof ModelFailure)
        trace.event('gen_ai.client.operation.exception', {
          ...{ 'exception.type': error.class, 'exception.message': error.message },
          'gen_ai.request.model': request.model,
        });
      throw error;
    }
  },
});
