// Parsing and checking the largest program of the product; with `bare`, saxes alone with handlers that do nothing.
import { globSync, readFileSync } from 'node:fs';
import { SaxesParser } from 'saxes';
import type { Prepared } from '../subject.ts';
import { programOf } from './surroundings.ts';

export interface ParseScenario {
  bare: boolean;
}

export default function prepare({ bare }: ParseScenario): Prepared {
  const sources = globSync('prompts/**/*.xml').map(file => readFileSync(file, 'utf8'));
  const source = sources.toSorted((a, b) => b.length - a.length)[0]!;
  return {
    units: 1,
    calls: 0,
    run() {
      if (bare) saxesAlone(source);
      else programOf(source);
    },
  };
}

function saxesAlone(source: string): void {
  const parser = new SaxesParser();
  let elements = 0;
  for (const name of ['text', 'cdata', 'opentag', 'closetag'] as const)
    parser.on(name, () => void elements++);
  parser.on('error', error => {
    throw error;
  });
  parser.write(source).close();
  if (elements === 0) throw new Error('nothing was parsed');
}
