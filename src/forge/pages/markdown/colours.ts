// Code in colours, in texts and in diffs, as classes of the style sheet: the policy of the pages allows no inline style.
import type { HighlighterCore } from 'shiki/core';
import { createCssVariablesTheme, createHighlighterCoreSync } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { bundledLanguagesInfo } from 'shiki/langs';
import { kept } from './kept.ts';

/** Characters of one piece of code that are coloured; a longer one is shown plain, since grammars are slow. */
const longest = 20_000;

const theme = createCssVariablesTheme({ name: 'classes', variablePrefix: '', fontStyle: false });
const known = kept(4_000_000);
let highlighter: HighlighterCore | undefined;

const grammars = new Map(
  bundledLanguagesInfo.flatMap(({ id, aliases = [], import: load }) =>
    // What is drawn is not coloured.
    (id === 'mermaid' ? [] : [id, ...aliases]).map(name => [name, { id, load }] as const),
  ),
);

/** Of the code that stands fenced in a Markdown text, what `colouredCode` needs. */
export const loadGrammars = (text: string): Promise<void> =>
  loadLanguages([...text.matchAll(/^[\s>]*(?:`{3,}|~{3,})\s*([\w+#-]+)/gm)].map(([, name = '']) => name));

/** By names, aliases or endings of files (`ts`); others are no error. */
async function loadLanguages(names: readonly string[]): Promise<void> {
  highlighter ??= createHighlighterCoreSync({
    themes: [theme],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const there = new Set(highlighter.getLoadedLanguages());
  for (const name of new Set(names)) {
    const grammar = grammars.get(name.toLowerCase());
    if (grammar && !there.has(grammar.id)) await highlighter.loadLanguage(grammar.load());
  }
}

/** The inside of a `<code>`, escaped; an empty text where the language is not loaded or the code is long. */
export const colouredCode = (code: string, name: string): string =>
  coloured(code, grammars.get(name.toLowerCase())?.id) ?? '';

/** The lines of a file's code, each the escaped inside of a `<code>`. By the ending of its name. */
export async function colouredLines(code: string, file: string): Promise<string[]> {
  const ending = /[^./]*$/.exec(file)?.[0] ?? '';
  if (code.length <= longest) await loadLanguages([ending]);
  return (coloured(code, grammars.get(ending.toLowerCase())?.id) ?? escaped(code)).split('\n');
}

function coloured(code: string, language: string | undefined): string | undefined {
  if (!language || code.length > longest || !highlighter?.getLoadedLanguages().includes(language))
    return undefined;
  const key = `${language} ${code}`;
  return known.get(key) ?? known.set(key, linesOf(highlighter, code, language).join('\n'));
}

function linesOf(by: HighlighterCore, code: string, lang: string): string[] {
  return by.codeToTokensBase(code, { lang, theme: theme.name ?? '', tokenizeTimeLimit: 2_000 }).map(line =>
    line
      .map(({ content, color }) => {
        const kind = /token-([a-z-]+)/.exec(color ?? '')?.[1];
        const text = escaped(content);
        return kind === undefined || content.trim() === '' ? text : `<span class="k-${kind}">${text}</span>`;
      })
      .join(''),
  );
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
