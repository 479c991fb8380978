// A Mermaid text as a picture, drawn here: no network, no script. A picture runs and loads nothing.
import { runInNewContext } from 'node:vm';
import { mermaidSvg } from './mermaid-svg.ts';
import { kept } from '../../kept.ts';

/** Characters; a larger text stays text. */
const longest = 8_000;
/** Milliseconds; what takes longer stays text. The layout of some thousand edges takes minutes, that of a hundred a tenth of a second. */
const patience = 1_000;
let isWarm = false;

const drawn = kept(4_000_000);

const plain = (html: string) =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/** A figure with the text folded under it; undefined where it cannot be drawn. `code` is escaped as HTML. */
export function diagram(code: string): string | undefined {
  const svg = drawing(plain(code));
  if (svg === undefined) return undefined;
  const [, width = '', height = ''] = /^<svg[^>]* width="([\d.]+)" height="([\d.]+)"/.exec(svg) ?? [];
  const address = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  return `<figure class="diagram"><img src="${address}" width="${Math.ceil(Number(width))}" height="${Math.ceil(Number(height))}" alt="Diagram; its text follows"><details><summary>As text</summary><pre tabindex="0"><code>${code}</code></pre></details></figure>`;
}

/** The picture alone, as SVG; undefined where the text cannot be drawn. */
export function drawing(text: string): string | undefined {
  if (text.length > longest) return undefined;
  return (drawn.get(text) ?? drawn.set(text, draw(text))) || undefined;
}

/** An empty text where it cannot be drawn. */
function draw(text: string): string {
  try {
    // What the first one takes to load and compile is not this text's.
    if (!isWarm) mermaidSvg('graph TD\na --> b');
    isWarm = true;
    // The context is only for its limit, which ends what is called in it as well.
    return String(runInNewContext('draw()', { draw: () => mermaidSvg(text) }, { timeout: patience }));
  } catch {
    // No diagram of a kind that is known, or too large.
    return '';
  }
}
