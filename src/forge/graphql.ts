// Answers GraphQL calls. The library is loaded at the first of them.
import type { GraphQLError, GraphQLSchema } from 'graphql';
import { z } from 'zod';
import { type ApiRequest, transact } from './api.ts';
import type { Core } from './core.ts';
import { ApiError } from './errors.ts';
import { mutations, queries } from './graphql/root.ts';
import { sdl } from './graphql/schema.ts';
import type { Answer } from './route.ts';

const graphqlRequest = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});

let schema: GraphQLSchema | undefined;

/** Whether a request's operation changes something; what cannot be read changes nothing. */
export async function isMutation(body: string): Promise<boolean> {
  const { getOperationAST, parse } = await import('graphql');
  try {
    const { query, operationName } = graphqlRequest.parse(JSON.parse(body));
    return getOperationAST(parse(query), operationName)?.operation === 'mutation';
  } catch {
    // Said by what answers the request.
    return false;
  }
}

/** 200 with `data` and, where something was refused, `errors`; a refused mutation changes nothing. */
export async function answerGraphql(core: Core, request: ApiRequest): Promise<Answer> {
  const { buildSchema, graphql } = await import('graphql');
  schema ??= buildSchema(sdl);
  const typed = schema;
  let refused: Answer | undefined;
  const answer = await transact(core, request, async (identity, json) => {
    if (identity.kind === 'nobody' || identity.kind === 'app')
      throw new ApiError(401, 'This endpoint requires you to be authenticated.');
    const parsed = graphqlRequest.safeParse(json);
    if (!parsed.success) throw new ApiError(400, 'A query attribute must be specified and must be a string.');
    const { query, variables, operationName } = parsed.data;
    const { data, errors } = await graphql({
      schema: typed,
      source: query,
      rootValue: { ...queries(core, identity), ...mutations(core, identity) },
      variableValues: variables ?? {},
      operationName: operationName ?? null,
    });
    const body = { ...(data !== undefined && { data }), ...(errors && { errors: errors.map(errorJson) }) };
    if (!errors) return { status: 200, body };
    refused = { status: 200, body };
    throw new ApiError(200, 'refused');
  });
  return refused ?? answer;
}

function errorJson({ message, locations, path, extensions }: GraphQLError) {
  const type = extensions['type'];
  return {
    ...(typeof type === 'string' && { type }),
    ...(path && { path }),
    ...(locations && { locations }),
    message,
  };
}
