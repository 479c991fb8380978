// Reading the tags of a text; with `bare`, what the engine needs for the least that could be called that.
import { scanTags } from '../../../src/engine/reasoning/tags/scan.ts';
import type { Prepared } from '../subject.ts';
import { transcript, unclosed } from './transcript.ts';

export interface TagScenario {
  /** `whole`: a transcript. `unclosed`: tags of which none is closed. */
  shape: 'whole' | 'unclosed';
  characters: number;
  /** With characters that are two bytes in memory. */
  isWide: boolean;
  bare: boolean;
}

const UNCLOSED = 5_000;

export default function prepare({ shape, characters, isWide, bare }: TagScenario): Prepared {
  if (shape === 'unclosed') {
    const text = unclosed(UNCLOSED, characters);
    const run = () => expectCount(bare ? openingsOneByOne(text) : scanTags(text).problems.length, UNCLOSED);
    return { units: 1, calls: 0, run };
  }
  const { text, blocks, written } = transcript(characters, isWide);
  const run = () =>
    bare ? expectCount(openings(text), written) : expectCount(scanTags(text).blocks.length, blocks);
  return { units: Buffer.byteLength(text), calls: 0, run };
}

function expectCount(found: number, wanted: number): void {
  if (found !== wanted) throw new Error(`${found} tags were found instead of ${wanted}`);
}

function openings(text: string): number {
  let count = 0;
  for (let at = text.indexOf('{{<'); at >= 0; at = text.indexOf('{{<', at + 3))
    if (text[at + 3] !== '/') count++;
  return count;
}

/** As one writes it without thinking of what is never closed: each opening tag looks for its closing one. */
function openingsOneByOne(text: string): number {
  let unclosed = 0;
  const opening = /\{\{<(\w+)>\}\}/g;
  for (let found = opening.exec(text); found; found = opening.exec(text))
    if (text.indexOf(`{{</${found[1]}>}}`, opening.lastIndex) < 0) unclosed++;
  return unclosed;
}
