// Mastra: a workflow of one step a step, or a foreach; its journal is the in-memory store of its snapshots.
import { Mastra } from '@mastra/core';
import { InMemoryStore } from '@mastra/core/storage';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { z } from 'zod';
import { PARALLEL } from '../generate.ts';

/** @param {{shape: string, size: number, journal: boolean}} scenario */
export default async function prepare({ shape, size, journal }, kit) {
  const workflow = shape === 'sequence' ? sequence(size, kit) : map(size, kit);
  const storage = journal ? new InMemoryStore() : undefined;
  if (storage) new Mastra({ workflows: { bench: workflow }, storage, logger: false });
  const store = await storage?.getStore('workflows');
  const inputData =
    shape === 'sequence' ? 'nothing' : Array.from({ length: size }, (_, index) => `element ${index}`);
  return {
    units: size,
    calls: size,
    async run() {
      const run = await workflow.createRun();
      const { status, error } = await run.start({ inputData });
      if (status !== 'success') throw new Error(`the workflow ended as ${status}`, { cause: error });
      if (!store) return;
      const kept = await store.getWorkflowRunById({ runId: run.runId, workflowName: 'bench' });
      if (!kept) throw new Error('no snapshot was kept');
      await store.deleteWorkflowRunById({ runId: run.runId, workflowName: 'bench' });
    },
  };
}

const text = z.string();

function work(id, kit) {
  return createStep({
    id,
    inputSchema: text,
    outputSchema: text,
    execute: async ({ inputData }) => inputData && (await kit.instant()),
  });
}

function sequence(size, kit) {
  const workflow = createWorkflow({ id: 'bench', inputSchema: text, outputSchema: text });
  for (let index = 0; index < size; index++) workflow.then(work(`step-${index}`, kit));
  return workflow.commit();
}

function map(_size, kit) {
  return createWorkflow({ id: 'bench', inputSchema: z.array(text), outputSchema: z.array(text) })
    .foreach(work('work', kit), { concurrency: PARALLEL })
    .commit();
}
