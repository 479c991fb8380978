// A trace in a file: Markdown for people, or lines of JSON for programs, written as the run goes on.
import { closeSync, openSync, writeSync } from 'node:fs';
import { extname } from 'node:path';
import { systemClock } from '../../../lib/clock.ts';
import type { Json } from '../../../lib/json.ts';
import { maskValue } from '../../../lib/mask.ts';
import { messageOf } from '../../../lib/message.ts';
import { markdownSink } from './markdown.ts';
import { otlpSink } from './otlp.ts';
import { openTrace, type Trace } from './spans.ts';

/** The endings of the files that a trace can be kept in; each says in which form. */
export const traceEndings = ['.md', '.jsonl'] as const;

/** Undefined where it is none of them. */
export const traceEnding = (path: string) => traceEndings.find(ending => extname(path) === ending);

export interface FileTrace extends Trace {
  /** Why it is not whole; undefined: it is. */
  lost(): string | undefined;
}

/**
 * The file is made, for its owner alone, when the first span begins; that throws where it cannot be, or is there by
 * then. Each span is written when it ends, whole. Where one cannot be written none is any more, and the run goes on.
 * `mask` goes over every text.
 */
export function traceFile(path: string, mask: (text: string) => string): FileTrace {
  let file: number | undefined;
  let lost: string | undefined;
  const put = (text: string) => {
    const bytes = Buffer.from(text);
    if (file !== undefined) for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  };
  const unlessLost = (write: () => void) => {
    try {
      if (lost === undefined) write();
    } catch (error) {
      lost = messageOf(error);
    }
  };
  const clean = (value: Json) => maskValue(value, mask);
  const sink = traceEnding(path) === '.md' ? markdownSink(put, clean) : otlpSink(put, clean);
  const trace = openTrace(
    {
      begin(name, at) {
        file = openSync(path, 'wx', 0o600);
        unlessLost(() => sink.begin(name, at));
      },
      write: span => unlessLost(() => sink.write(span)),
      end: (total, ms) => unlessLost(() => sink.end(total, ms)),
    },
    systemClock,
  );
  return {
    ...trace,
    lost: () => lost,
    end() {
      trace.end();
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
