// A Mermaid text as a picture, drawn here: no network, no script. A picture runs and loads nothing.
import { runInNewContext } from 'node:vm';
import { kept } from '../../kept.ts';
import { renderMermaidSVG } from 'beautiful-mermaid';
import { escapeMarkup } from '@echelon/ground';

const dark =
  '@media (prefers-color-scheme: dark) { svg { --bg: #0d1117 !important; --fg: #e6edf3 !important; } }';

/**
 * Light or dark as whoever looks at it; it runs and loads nothing. Throws where the text is no diagram of a kind that is
 * known. The layout of a hostile text can take minutes: whoever draws what others wrote limits its time.
 */
export function mermaidSvg(text: string): string {
  const svg = renderMermaidSVG(text, {
    bg: '#ffffff',
    fg: '#1f2328',
    font: 'system-ui',
    transparent: true,
    padding: 8,
  });
  return (
    svg
      // A font of another site's.
      .replace(/@import url\([^)]*\);/, dark)
      // Mermaid's number codes, which the drawing leaves as they are.
      .replace(/<text[^>]*>[\s\S]*?<\/text>/g, label =>
        label.replace(/#(\d{1,6});/g, (code, number) => {
          const point = Number(number);
          return point > 31 && point < 0xd800 ? escapeMarkup(String.fromCodePoint(point)) : code;
        }),
      )
  );
}

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
    // A first diagram loads and compiles the library; that time must not count against this text.
    if (!isWarm) mermaidSvg('graph TD\na --> b');
    isWarm = true;
    // The context is only for its limit, which ends what is called in it as well.
    return String(runInNewContext('draw()', { draw: () => mermaidSvg(text) }, { timeout: patience }));
  } catch {
    // No diagram of a kind that is known, or too large.
    return '';
  }
}
