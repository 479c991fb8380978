// XState: an actor of a machine with one state a step, or with one spawned actor an element; its journal is the
// persisted snapshot of every transition, as JSON.
import { assign, createActor, fromPromise, setup, toPromise } from 'xstate';

/** @param {{shape: string, size: number, journal: boolean}} scenario */
export default function prepare({ shape, size, journal }, kit) {
  const machine = shape === 'sequence' ? sequence(size, kit) : map(size, kit);
  return {
    units: size,
    calls: size,
    async run() {
      const actor = createActor(machine);
      let kept = 0;
      if (journal)
        actor.subscribe(() => {
          kept += JSON.stringify(actor.getPersistedSnapshot()).length;
        });
      const done = toPromise(actor);
      actor.start();
      await done;
      if (journal && kept === 0) throw new Error('no snapshot was kept');
    },
  };
}

function sequence(size, kit) {
  const states = {};
  for (let index = 0; index < size; index++)
    states[`step-${index}`] = {
      invoke: {
        src: 'work',
        input: ({ context }) => context.before,
        onDone: {
          target: index === size - 1 ? 'done' : `step-${index + 1}`,
          actions: assign({ before: ({ event }) => event.output }),
        },
      },
    };
  return setup({ actors: { work: fromPromise(({ input }) => input && kit.instant()) } }).createMachine({
    context: { before: 'nothing' },
    initial: 'step-0',
    states: { ...states, done: { type: 'final' } },
  });
}

function map(size, kit) {
  const items = Array.from({ length: size }, (_, index) => `element ${index}`);
  return setup({ actors: { work: fromPromise(({ input }) => input && kit.instant()) } }).createMachine({
    context: ({ spawn }) => ({
      results: [],
      workers: items.map((input, index) => spawn('work', { id: `work-${index}`, input })),
    }),
    initial: 'working',
    states: {
      working: {
        on: {
          'xstate.done.actor.*': {
            actions: assign({ results: ({ context, event }) => [...context.results, event.output] }),
          },
        },
        always: { guard: ({ context }) => context.results.length === size, target: 'done' },
      },
      done: { type: 'final' },
    },
  });
}
