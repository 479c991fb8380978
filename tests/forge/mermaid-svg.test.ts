// Mermaid drawn as SVG: what stands in it, and what it must not hold.
import { expect, test } from 'vitest';
import { mermaidSvg } from '../../packages/forge/pages/markdown/mermaid-svg.ts';

/** What is written on it. */
const labels = (svg: string) => [...svg.matchAll(/<text[^>]*>([\s\S]*?)<\/text>/g)].map(([, text]) => text);

test('draws nodes and labels, in the colours of whoever looks, and loads nothing', () => {
  const svg = mermaidSvg('flowchart TD\n  a["One"] -->|then| b["Two"]');
  expect(labels(svg)).toEqual(expect.arrayContaining(['One', 'Two', 'then']));
  expect(svg).toContain('prefers-color-scheme: dark');
  expect(svg).not.toMatch(/@import|<script|href=|https?:\/\/(?!www\.w3\.org)/);
});

test('number codes are what they say, and stay text', () => {
  const svg = mermaidSvg('flowchart TD\n  a["#60;script#62; #38; #91;x#93; #0; #99999999;"]');
  expect(labels(svg)[0]).toContain('&lt;script&gt; &amp; [x] #0;');
  expect(svg).not.toContain('<script');
});

test('what is no diagram is refused', () => {
  expect(() => mermaidSvg('nothing of the kind')).toThrow();
});
