// A trace in a file of lines of JSON, written as the run goes on.
import { closeSync, openSync, writeSync } from 'node:fs';
import { type Json, maskValue, messageOf, systemClock } from '@echelon/ground';
import { openTrace, type Span } from './spans.ts';
import { type AttributeName, type Attributes, attributeTypes, conventions } from './attributes.ts';

export type FileTrace = ReturnType<typeof traceFile>;

/**
 * The file is made, for its owner alone, when the first span begins; that throws where it cannot be, or is there by
 * then. Each span is written when it ends, whole. Where one cannot be written none is any more, and the run goes on.
 * `mask` goes over every text.
 */
export function traceFile(path: string, mask: (text: string) => string) {
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
    /** Reason that it is incomplete; undefined: it is complete. */
    lost: (): string | undefined => lost,
    /** The whole of it is over. */
    end(): void {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

// A span as a line of OpenTelemetry's own JSON form of traces, which collectors read from files.
// https://opentelemetry.io/docs/specs/otel/protocol/file-exporter/

/** Numbers of the protocol: `SpanKind` and `StatusCode` of trace.proto. */
const kinds = { internal: 1, client: 3 } as const;
const STATUS_ERROR = 2;

/** `clean` goes over every text. */
function otlpLine(span: Span, clean: (value: Json) => Json): string {
  const { trace, id, parent, name, kind, started, ended, events, error } = span;
  const attributes = (from: Attributes) =>
    (Object.entries(from) as [AttributeName, Json | undefined][]).flatMap(([key, value]) =>
      value === undefined ? [] : [{ key, value: encoded(key, clean(value)) }],
    );
  const text = (from: string) => clean(from) as string;
  const written = {
    traceId: trace,
    spanId: id,
    ...(parent !== undefined && { parentSpanId: parent }),
    name: text(name),
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(started),
    endTimeUnixNano: nanoseconds(ended),
    attributes: attributes(span.attributes),
    ...(events.length > 0 && {
      events: events.map(each => ({
        timeUnixNano: nanoseconds(each.at),
        name: each.name,
        attributes: attributes(each.attributes),
      })),
    }),
    ...(error && { status: { code: STATUS_ERROR, message: text(error.message) } }),
  };
  const service = [{ key: 'service.name', value: { stringValue: 'echelon' } }];
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: service },
        scopeSpans: [{ scope: { name: 'echelon' }, spans: [written], schemaUrl: conventions }],
      },
    ],
  });
}

/** As text: beyond what a number of JSON holds. */
const nanoseconds = (ms: number): string => `${BigInt(Math.round(ms * 1000)) * 1000n}`;

function encoded(key: AttributeName, value: Json): object {
  switch (attributeTypes[key]) {
    case 'int':
      return { intValue: String(value) };
    case 'double':
      return { doubleValue: value };
    case 'string[]':
      return { arrayValue: { values: [value].flat().map(each => ({ stringValue: String(each) })) } };
    case 'json':
      return { stringValue: typeof value === 'string' ? value : JSON.stringify(value) };
    default:
      return { stringValue: String(value) };
  }
}
