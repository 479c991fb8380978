// LangGraph.js: a StateGraph of one node a step, or a fan-out by Send; its journal is the MemorySaver.
import { Annotation, END, MemorySaver, Send, START, StateGraph } from '@langchain/langgraph';

/** @param {{shape: string, size: number, journal: boolean}} scenario */
export default function prepare({ shape, size, journal }, kit) {
  const checkpointer = journal ? new MemorySaver() : undefined;
  const built = shape === 'sequence' ? sequence(size, kit) : map(size, kit);
  const graph = built.compile(checkpointer ? { checkpointer } : {});
  let runs = 0;
  return {
    units: size,
    calls: size,
    async run() {
      const thread_id = `run-${runs++}`;
      const ended = await graph.invoke(
        { before: 'nothing' },
        { recursionLimit: size + 10, configurable: { thread_id } },
      );
      if (shape === 'map' && ended.results.length !== size)
        throw new Error(`${ended.results.length} results`);
      await checkpointer?.deleteThread(thread_id);
    },
  };
}

function sequence(size, kit) {
  const graph = new StateGraph(Annotation.Root({ before: Annotation }));
  for (let index = 0; index < size; index++) {
    graph.addNode(`step-${index}`, async ({ before }) => ({ before: before && (await kit.instant()) }));
    graph.addEdge(index === 0 ? START : `step-${index - 1}`, `step-${index}`);
  }
  return graph.addEdge(`step-${size - 1}`, END);
}

function map(size, kit) {
  const State = Annotation.Root({
    before: Annotation,
    results: Annotation({ reducer: (all, more) => all.concat(more), default: () => [] }),
  });
  const items = Array.from({ length: size }, (_, index) => `element ${index}`);
  return new StateGraph(State)
    .addNode('work', async ({ item }) => ({ results: [item && (await kit.instant())] }))
    .addConditionalEdges(START, () => items.map(item => new Send('work', { item })), ['work'])
    .addEdge('work', END);
}
