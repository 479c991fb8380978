// The bench `pages`: how long each kind of page of a full repository takes, and how large it is.
import { key, mostKilobytes, openLargeForge } from '../forge/large.ts';
import { type Figure, type Report, rounded } from './figures.ts';
import { median } from './measure.ts';

/** Milliseconds for a whole answer, and KB (1,000 bytes) of it. */
const most = { ms: 100, kb: mostKilobytes };
const ROUNDS = 7;

export async function pagesOfForge(): Promise<Report> {
  const { opened, places } = await openLargeForge();
  try {
    const site = opened.forge.url;
    const entrance = await fetch(`${site}/?key=${key}`, { redirect: 'manual' });
    const cookie = entrance.headers.get('set-cookie')?.split(';')[0] ?? '';
    const read = async (path: string) => {
      const begin = performance.now();
      const answer = await fetch(site + path, { headers: { cookie } });
      const bytes = await answer.arrayBuffer();
      if (answer.status !== 200)
        throw new Error(`${path}: ${answer.status} ${new TextDecoder().decode(bytes).slice(-600)}`);
      return { ms: performance.now() - begin, kb: bytes.byteLength / 1000 };
    };
    const figures: Figure[] = [];
    const first: string[] = [];
    for (const { name, path } of places) {
      const cold = await read(path);
      first.push(`${name} ${Math.round(cold.ms)}`);
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round++) times.push((await read(path)).ms);
      figures.push(figure(name, median(times), 'ms'), figure(name, cold.kb, 'kb'));
    }
    return {
      figures,
      notes: [
        '500 issues, 5,000 comments, 3,000 of them on one issue; a whole answer over HTTP, median of several, after one that is not counted',
        `that first one, when nothing of the page had been rendered yet (ms): ${first.join(', ')}`,
      ],
    };
  } finally {
    await opened[Symbol.asyncDispose]();
  }
}

function figure(name: string, measured: number, unit: 'ms' | 'kb'): Figure {
  const [value, limit] = [rounded(measured), most[unit]];
  const shown = unit === 'kb' ? 'KB' : unit;
  return {
    ...{ name: `${name}: ${unit === 'kb' ? 'size' : 'time'}`, value, unit: shown },
    ...{ baseline: { name: 'limit', value: limit }, aim: `<= ${limit} ${shown}`, ok: value <= limit },
  };
}
