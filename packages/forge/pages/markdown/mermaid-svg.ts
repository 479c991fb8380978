// A Mermaid text drawn as SVG, without a browser.
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
