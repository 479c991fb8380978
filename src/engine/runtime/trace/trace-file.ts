// A trace in a file of lines of JSON, written as the run goes on.
import { closeSync, openSync, writeSync } from 'node:fs';
import { type Json, maskValue, messageOf, systemClock } from '@echelon/ground';
import { otlpLine } from './otlp.ts';
import { openTrace, type Trace } from './spans.ts';

export interface FileTrace extends Trace {
  /** Why it is not whole; undefined: it is. */
  lost(): string | undefined;
  /** The whole of it is over. */
  end(): void;
}

/**
 * The file is made, for its owner alone, when the first span begins; that throws where it cannot be, or is there by
 * then. Each span is written when it ends, whole. Where one cannot be written none is any more, and the run goes on.
 * `mask` goes over every text.
 */
export function traceFile(path: string, mask: (text: string) => string): FileTrace {
  let file: number | undefined;
  let lost: string | undefined;
  const clean = (value: Json) => maskValue(value, mask);
  const trace = openTrace(
    {
      begin() {
        file = openSync(path, 'wx', 0o600);
      },
      write(span) {
        if (lost !== undefined || file === undefined) return;
        try {
          const bytes = Buffer.from(`${otlpLine(span, clean)}\n`);
          for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
        } catch (error) {
          lost = messageOf(error);
        }
      },
    },
    systemClock,
  );
  return {
    ...trace,
    lost: () => lost,
    end() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
