// Code in colours, in texts and in diffs, as classes of the style sheet: the policy of the pages allows no inline style.
import type { HighlighterCore, LanguageRegistration } from 'shiki/core';
import { escapeMarkup } from '@echelon/ground';
import { kept } from '../../kept.ts';

/** Characters of one piece of code that are coloured; a longer one is shown plain, since grammars are slow. */
const longest = 20_000;
/** Languages of one text that are coloured: each is megabytes of grammar, and stays. */
const mostLanguages = 8;
/** The name of the theme, whose colours are names of classes. */
const classes = 'classes';

interface Grammar {
  id: string;
  load: () => Promise<{ default: LanguageRegistration[] }>;
}

interface Colours {
  highlighter: HighlighterCore;
  /** By names and aliases. */
  grammars: ReadonlyMap<string, Grammar>;
}

const known = kept(4_000_000);
/** There once some code was shown: nobody else needs so large a library. */
let colours: Colours | undefined;
let opening: Promise<Colours> | undefined;
/** By the language's id: it is there, or will be. */
const loaded = new Map<string, Promise<void>>();

async function open(): Promise<Colours> {
  const [{ createCssVariablesTheme, createHighlighterCoreSync }, engines, { bundledLanguagesInfo }] =
    await Promise.all([import('shiki/core'), import('shiki/engine/javascript'), import('shiki/langs')]);
  return {
    highlighter: createHighlighterCoreSync({
      themes: [createCssVariablesTheme({ name: classes, variablePrefix: '', fontStyle: false })],
      engine: engines.createJavaScriptRegexEngine({ forgiving: true }),
    }),
    grammars: new Map(
      bundledLanguagesInfo.flatMap(({ id, aliases = [], import: load }) =>
        // Diagrams are drawn, not highlighted.
        (id === 'mermaid' ? [] : [id, ...aliases]).map(name => [name, { id, load }] as const),
      ),
    ),
  };
}

/** Of the code that stands fenced in a Markdown text, what `colouredCode` needs. */
export const loadGrammars = (text: string): Promise<void> =>
  loadLanguages([...text.matchAll(/^[\s>]*(?:`{3,}|~{3,})\s*([\w+#-]+)/gm)].map(([, name = '']) => name));

/** By names, aliases or endings of files (`ts`); others are no error. */
async function loadLanguages(names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  // Many texts of one page ask at a time: it is opened once.
  opening ??= open();
  const { highlighter, grammars } = (colours = await opening);
  const found = new Set(names.flatMap(name => grammars.get(name.toLowerCase()) ?? []));
  for (const { id, load } of [...found].slice(0, mostLanguages)) {
    const loading = loaded.get(id) ?? highlighter.loadLanguage(load());
    loaded.set(id, loading);
    await loading;
  }
}

/** The inside of a `<code>`, escaped; an empty text where the language is not loaded or the code is long. */
export const colouredCode = (code: string, name: string): string => coloured(code, name) ?? '';

/** The lines of a file's code, each the escaped inside of a `<code>`. By the ending of its name. */
export async function colouredLines(code: string, file: string): Promise<string[]> {
  const ending = /[^./]*$/.exec(file)?.[0] ?? '';
  if (code.length <= longest) await loadLanguages([ending]);
  const plain = escapeMarkup(code).split('\n');
  const lines = coloured(code, ending)?.split('\n');
  // No line may be lost for its colours.
  return lines?.length === plain.length ? lines : plain;
}

function coloured(code: string, name: string): string | undefined {
  const language = colours?.grammars.get(name.toLowerCase())?.id;
  if (!colours || !language || code.length > longest) return undefined;
  if (!colours.highlighter.getLoadedLanguages().includes(language)) return undefined;
  const key = `${language} ${code}`;
  return known.get(key) ?? known.set(key, linesOf(colours.highlighter, code, language).join('\n'));
}

const linesOf = (by: HighlighterCore, code: string, lang: string): string[] =>
  by.codeToTokensBase(code, { lang, theme: classes, tokenizeTimeLimit: 2_000 }).map(line =>
    line
      .map(({ content, color }) => {
        const kind = /token-([a-z-]+)/.exec(color ?? '')?.[1];
        const text = escapeMarkup(content);
        return kind === undefined || content.trim() === '' ? text : `<span class="k-${kind}">${text}</span>`;
      })
      .join(''),
  );
