// Makes extract.json: the structure of GitHub's OpenAPI description for the routes that the forge serves.
//
// To renew it, unpack the package once, outside the project, and run this file over it:
//   cd "$(mktemp -d)" && npm pack @octokit/openapi@23.0.2
//   tar xzf octokit-openapi-*.tgz package/package.json package/generated/api.github.com.json
//   npx node tests/forge/openapi/extract.ts <that folder>/package/generated/api.github.com.json   (from the project)
//
// Only structure is kept (names, types, required, enumerations, formats, bounds), no prose; the description has
// OpenAPI 3.0's `nullable`, the extract has JSON Schema's `null`. The package is 385 MB and no dependency.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { routes as served } from '../../../packages/forge/routes.ts';
import { canonical, type Json } from '../../../packages/ground/lib/json.ts';

type Fields = { readonly [key: string]: Json };

const kept = new Set(served.map(({ method, template }) => `${method} ${template}`));

/** The parts of a schema that are structure; everything else (title, description, example, x-...) is left out. */
const bounds = new Set([
  ...['type', 'required', 'enum', 'format', 'pattern', 'uniqueItems'],
  ...[
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'minProperties',
    'maxProperties',
  ],
]);

/** Formats that ajv-formats knows; the description's own (`repo.nwo`, `timestamp`) say nothing checkable. */
const formats = new Set(['uri', 'date-time', 'date', 'email', 'int32', 'int64', 'ipv4', 'ipv6', 'uuid']);

if (process.argv[2] === undefined) {
  console.error('usage: npx node tests/forge/openapi/extract.ts <path of api.github.com.json>');
  process.exitCode = 2;
} else {
  const target = join(import.meta.dirname, 'extract.json');
  const text = extract(asFields(JSON.parse(readFileSync(process.argv[2], 'utf8'))), resolve(process.argv[2]));
  writeFileSync(target, text);
  console.log(`${target}: ${Math.ceil(text.length / 1024)} KB`);
}

/** The text of extract.json: one route or schema a line, keys sorted. */
function extract(description: Fields, path: string): string {
  const components = asFields(description['components']);
  const all = asFields(components['schemas']);
  const routes = new Map<string, Json>();
  const schemas = new Map<string, Json>();
  for (const [template, operations] of Object.entries(asFields(description['paths'])))
    for (const [method, operation] of Object.entries(asFields(operations))) {
      const name = `${method.toUpperCase()} ${template}`;
      if (kept.has(name)) routes.set(name, route(asFields(operation), components));
    }
  const queue = [
    ...routes.values(),
    { $ref: '#/schemas/basic-error' },
    { $ref: '#/schemas/validation-error' },
  ];
  for (let part = queue.pop(); part !== undefined; part = queue.pop())
    for (const [, name] of canonical(part).matchAll(/"\$ref":"#\/schemas\/([^"]+)"/g))
      if (name !== undefined && !schemas.has(name)) {
        const schema = structure(all[name] ?? fail(`the description has no schema ${name}`));
        schemas.set(name, schema);
        queue.push(schema);
      }
  const source = {
    description: 'structural extract: routes used here, no prose',
    licence: asFields(asFields(description['info'])['license'])['name'] ?? null,
    notice: 'Copyright (c) 2020 Octokit contributors; extracted from @octokit/openapi under the MIT License',
    package: `@octokit/openapi@${packageVersion(path)}`,
  };
  return `{\n"routes":{\n${lines(routes)}\n},\n"schemas":{\n${lines(schemas)}\n},\n"source":${canonical(source)}\n}\n`;
}

function lines(entries: Map<string, Json>): string {
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([key, value]) => `${JSON.stringify(key)}:${canonical(value)}`).join(',\n');
}

/** `{request?, answers: {status: {mediaType: schema}}, multi?}`; `multi` names the parameters that may hold slashes. */
function route(operation: Fields, components: Fields): Json {
  const answers: Record<string, Json> = {};
  for (const [status, response] of Object.entries(asFields(operation['responses']))) {
    const { content } = resolved(response, components);
    answers[status] =
      content === undefined ? {} : mapped(content, media => structure(asFields(media)['schema'] ?? {}));
  }
  const body = operation['requestBody'];
  const json =
    body === undefined
      ? undefined
      : asFields(resolved(body, components)['content'] ?? {})['application/json'];
  const parameters = asList(operation['parameters'] ?? []).map(parameter => resolved(parameter, components));
  const multi = parameters
    .filter(parameter => parameter['x-multi-segment'] === true)
    .map(({ name }) => name ?? '');
  return {
    answers,
    ...(json === undefined ? {} : { request: structure(asFields(json)['schema'] ?? {}) }),
    ...(multi.length === 0 ? {} : { multi }),
  };
}

/** A schema without prose, `nullable` written as JSON Schema has it, references shortened to `#/schemas/<name>`. */
function structure(schema: Json): Json {
  const fields = asFields(schema);
  const reference = fields['$ref'];
  const plain: Record<string, Json> =
    typeof reference === 'string' ? { $ref: reference.replace('#/components/schemas/', '#/schemas/') } : {};
  for (const [key, value] of Object.entries(fields))
    if (key === 'properties' || key === 'patternProperties') plain[key] = mapped(value, structure);
    else if (key === 'items' || key === 'not') plain[key] = structure(value);
    else if (key === 'additionalProperties')
      plain[key] = typeof value === 'boolean' ? value : structure(value);
    else if (key === 'allOf' || key === 'anyOf' || key === 'oneOf') plain[key] = asList(value).map(structure);
    else if (bounds.has(key) && (key !== 'format' || formats.has(String(value)))) plain[key] = value;
  return fields['nullable'] === true ? nullable(plain) : plain;
}

function nullable(schema: Fields): Json {
  const { type } = schema;
  if (typeof type !== 'string')
    return Object.keys(schema).length === 0 ? {} : { anyOf: [schema, { type: 'null' }] };
  const values = schema['enum'];
  const extra =
    values === undefined || asList(values).includes(null) ? {} : { enum: [...asList(values), null] };
  return { ...schema, type: [type, 'null'], ...extra };
}

function resolved(value: Json, components: Fields): Fields {
  const reference = asFields(value)['$ref'];
  if (typeof reference !== 'string') return asFields(value);
  const [, , kind = '', name = ''] = reference.split('/');
  return asFields(asFields(components[kind] ?? {})[name] ?? fail(`${reference} is not in the description`));
}

/** The version in the package.json that lies beside the `generated` folder. */
function packageVersion(path: string): Json {
  return (
    asFields(JSON.parse(readFileSync(join(path, '../../package.json'), 'utf8')))['version'] ??
    fail('no version')
  );
}

function mapped(value: Json, change: (part: Json) => Json): Json {
  return Object.fromEntries(Object.entries(asFields(value)).map(([key, part]) => [key, change(part)]));
}

function asFields(value: Json | undefined): Fields {
  if (value === null || typeof value !== 'object' || isList(value))
    fail(`an object was expected, not ${value}`);
  return value;
}

function asList(value: Json): readonly Json[] {
  return isList(value) ? value : fail(`a list was expected, not ${JSON.stringify(value)}`);
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

function fail(message: string): never {
  throw new Error(`api.github.com.json: ${message}`);
}
