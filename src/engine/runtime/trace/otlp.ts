// A span as a line of OpenTelemetry's own JSON form of traces, which collectors read from files.
// https://opentelemetry.io/docs/specs/otel/protocol/file-exporter/
import type { Json } from '@echelon/ground';
import { type AttributeName, type Attributes, attributeTypes, conventions } from './attributes.ts';
import type { Span } from './spans.ts';

/** Numbers of the protocol: `SpanKind` and `StatusCode` of trace.proto. */
const kinds = { internal: 1, client: 3 } as const;
const STATUS_ERROR = 2;

/** `clean` goes over every text. */
export function otlpLine(span: Span, clean: (value: Json) => Json): string {
  const { trace, id, parent, name, kind, started, ended, events, error } = span;
  const attributes = (from: Attributes) => attributesOf(from, clean);
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

const attributesOf = (attributes: Attributes, clean: (value: Json) => Json) =>
  (Object.entries(attributes) as [AttributeName, Json | undefined][]).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: encoded(key, clean(value)) }],
  );

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
