// Answers GraphQL calls. The library is loaded at the first of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentNode, ExecutionResult, GraphQLError, GraphQLSchema } from 'graphql';
import { z } from 'zod';
import { type ApiRequest, transact } from './api.ts';
import type { Core } from './core.ts';
import { RuleViolation } from './repositories/rules.ts';
import { ApiError } from './errors.ts';
import { branchMutations } from './graphql/change-branches.ts';
import { issueMutations } from './graphql/change-issues.ts';
import { pullMutations } from './graphql/change-pulls.ts';
import { askedBy, queries } from './graphql/queries.ts';
import { validated } from './graphql/validate.ts';
import type { Answer } from './route.ts';

const graphqlRequest = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});

let schema: GraphQLSchema | undefined;

/** True if a request's operation changes something; an unreadable one changes nothing. */
export async function isMutation(body: string): Promise<boolean> {
  const { getOperationAST } = await import('graphql');
  try {
    const { query, operationName } = graphqlRequest.parse(JSON.parse(body));
    return getOperationAST(await parsed(query), operationName)?.operation === 'mutation';
  } catch {
    // Said by what answers the request.
    return false;
  }
}

/** More of a query than that is not read: the largest that a client of GitHub's sends has a quarter of it. */
const mostTokens = 8000;

async function parsed(query: string): Promise<DocumentNode> {
  const { parse } = await import('graphql');
  return parse(query, { maxTokens: mostTokens });
}

/** After this time a query is given up: until it ends, no other call of the forge begins. */
const longestMs = 10_000;

/** 200 with `data` and, where something was refused, `errors`; a refused mutation changes nothing. */
export async function answerGraphql(core: Core, request: ApiRequest): Promise<Answer> {
  const { buildSchema, execute, GraphQLError } = await import('graphql');
  schema ??= buildSchema(readFileSync(join(import.meta.dirname, 'graphql/schema.graphql'), 'utf8'));
  const typed = schema;
  let refused: Answer | undefined;
  const answer = await transact(core, request, async (identity, json) => {
    if (identity.kind === 'nobody' || identity.kind === 'app')
      throw new ApiError(401, 'This endpoint requires you to be authenticated.');
    const given = graphqlRequest.safeParse(json);
    if (!given.success) throw new ApiError(400, 'A query attribute must be specified and must be a string.');
    const { query, variables, operationName } = given.data;
    const work = async () => {
      const document = await parsed(query);
      const faults = await validated(typed, document);
      if (faults.length > 0) return { errors: faults };
      return await execute({
        schema: typed,
        document,
        rootValue: {
          ...queries(core, identity),
          ...issueMutations(core, identity),
          ...pullMutations(core, identity),
          ...branchMutations(core, identity),
        },
        contextValue: askedBy(core, identity),
        variableValues: variables ?? {},
        operationName: operationName ?? null,
        abortSignal: AbortSignal.timeout(longestMs),
      });
    };
    const { data, errors }: ExecutionResult = await work().catch((error: unknown) => {
      if (!(error instanceof Error)) throw error;
      const shown = error instanceof GraphQLError ? error : undefined;
      return { errors: [shown ?? new GraphQLError(error.message, { originalError: error })] };
    });
    if (!errors) return { status: 200, body: { data } };
    // Of a refused mutation nothing was done, the fields before the refused one included.
    const undone = data && (await isMutation(request.body));
    const shown = undone ? Object.fromEntries(Object.keys(data).map(name => [name, null])) : data;
    const told = errors.map(errorJson);
    refused = { status: 200, body: { ...(shown !== undefined && { data: shown }), errors: told } };
    throw new ApiError(200, 'refused');
  });
  return refused ?? answer;
}

/** GitHub's types of errors for the statuses that REST answers a refusal with. */
const types: Partial<Record<number, string>> = {
  401: 'FORBIDDEN',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'STALE_DATA',
};

function errorJson({ message, locations, path, extensions, originalError }: GraphQLError) {
  const refusal = originalError instanceof ApiError ? originalError : undefined;
  const {
    type = refusal &&
      ((refusal instanceof RuleViolation ? undefined : types[refusal.status]) ?? 'UNPROCESSABLE'),
    ...more
  } = extensions;
  return {
    ...(typeof type === 'string' && { type }),
    ...(path && { path }),
    ...(Object.keys(more).length > 0 && { extensions: more }),
    ...(locations && { locations }),
    message: refusal?.sentence() ?? message,
  };
}
