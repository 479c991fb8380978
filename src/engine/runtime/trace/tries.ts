// The tries of a model call, as the trace is told of them: those that failed.
import { type Model, ModelFailure } from '../../models/model.ts';
import type { Trace } from './spans.ts';

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
