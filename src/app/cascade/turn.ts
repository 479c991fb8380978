// One turn of a layer: its role program is evaluated, its reply comes back with what it cost, or the failure as a value.
import type { ModelMessage } from '../../engine/models.ts';
import type { AskingTurn, Cascade, FailedTurn, LayerState, Turn } from './cascade-state.ts';
import { evaluateRole, type RoleRequest } from './evaluate-role.ts';
import { fits, keptConversation } from './fit-to-record.ts';
import { commandTool } from '../layers.ts';
import { openedList } from './opened-files.ts';
import { MAX_PATHS, roleInputs } from './role-inputs.ts';

interface TurnRequest extends Pick<RoleRequest, 'key' | 'most' | 'asked' | 'progress'> {
  /** Message in the layer's own conversation instead of its inputs. */
  said: string | undefined;
}

/** Asks the layer. Throws ProviderWait when the provider wants a long wait, and the signal's reason when aborted. */
export async function takeTurn(
  cascade: Cascade,
  layer: LayerState,
  { said, ...request }: TurnRequest,
): Promise<Turn | AskingTurn | FailedTurn> {
  const history = layer.turn?.messages ?? [];
  const goesOn = history.length > 0;
  const { directive, view } = cascade.ctx;
  const { baseTests } = view;
  const { files, ...repository } = await cascade.ctx.repository();
  const { signal } = cascade.ctx.evaluation(layer);
  const opened = openedList(
    cascade.layers.flatMap(each => each.opened),
    goesOn ? [] : await repository.memory.index(signal).catch(() => []),
    `${directive.title} ${directive.body}`,
  );
  const answer = await evaluateRole(cascade, {
    ...request,
    ...{ role: layer, repository, pauses: true, isShownAll: files.length <= MAX_PATHS },
    inputs: roleInputs(
      cascade.ctx,
      files,
      cascade.layers,
      { opened, tries: repository.tools.some(({ name }) => name === commandTool), ...(!goesOn && { said }) },
      baseTests,
    ),
    conversation: goesOn ? { history, prompt: said ?? '' } : undefined,
  });
  if (answer.ok !== true) return answer;
  const { result, model, session, booked } = answer;
  const text = result.content;
  const problem = text.trim() === '' ? 'is empty' : 'is too long for the record; ask for less at a time';
  if (text.trim() === '' || !fits(text))
    return { ok: false, class: 'crash', message: `the ${layer.name}'s reply ${problem}`, ...booked };
  const messages = conversationBeside({ text, opened: booked.opened }, result.messages);
  return { ok: true, text, model, messages, ...booked, ...(session && { session }) };
}

/** The part of the conversation that fits into the record beside the reply and the opened files. */
function conversationBeside(
  kept: Pick<Turn, 'text' | 'opened'>,
  whole: readonly ModelMessage[],
): ModelMessage[] {
  const messages = keptConversation(whole);
  return fits({ ...kept, messages }) ? messages : [];
}
