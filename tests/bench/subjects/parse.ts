// Parsing and checking a generated program; with `bare`, saxes alone with handlers that do nothing.
import { SaxesParser } from 'saxes';
import { document } from '../generate.ts';
import type { Prepared } from '../subject.ts';
import { programOf } from './surroundings.ts';

export interface ParseScenario {
  characters: number;
  bare: boolean;
}

export default function prepare({ characters, bare }: ParseScenario): Prepared {
  const source = document(characters);
  return {
    units: Buffer.byteLength(source),
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
