// Anthropic's prompt cache, simulated over the bodies of real requests: what a conversation costs, in tokens of input.
// https://platform.claude.com/docs/en/build-with-claude/prompt-caching
import { createHash } from 'node:crypto';

/** Of a token that is neither read nor written: what one costs that is. */
const READ = 0.1;
const WRITE = 1.25;
/** Blocks before a mark at which what is there is looked for. */
const LOOK_BACK = 20;

/** The shortest prefix that is kept, in tokens: 512 of an Opus, 1,024 of the others of the fifth generation. */
const shortest = (model: string): number => (model.includes('opus') ? 512 : 1024);

/**
 * Tokens that the definitions of native tools stand for, by the pages of bash and of the text editor: their schema is
 * not in the request.
 */
const native: Readonly<Record<string, number>> = { bash_20250124: 245, text_editor_20250728: 700 };

/** Four bytes of UTF-8 a token. */
const tokensOf = (text: string): number => Math.ceil(Buffer.byteLength(text) / 4);

type Content = string | readonly Block[];
export interface Block {
  type?: string;
  text?: string;
  content?: Content;
  cache_control?: object | null | undefined;
}

/** As much of a request to the Messages API as is cached. */
export interface Cached {
  model: string;
  tools?: readonly Block[];
  system?: Content;
  messages: readonly { role: string; content: Content }[];
}

/** Tokens of input: all there are, those read from the cache, those written to it, and what all of it costs. */
export interface Priced {
  raw: number;
  read: number;
  written: number;
  priced: number;
}

interface Piece {
  tokens: number;
  /** Digest of everything up to its end. */
  prefix: string;
  isMarked: boolean;
}

/**
 * A cache that is empty at first, and answers for request after request what it costs. A prefix is kept where a mark
 * stands, of whole blocks (tools, then system, then messages) and for the same model, as soon as it was sent; nothing is
 * ever forgotten: the five minutes that it really lasts are not simulated.
 */
export function promptCache(): { price(body: Cached): Priced } {
  const kept = new Set<string>();
  return {
    price(body) {
      const pieces = piecesOf(body);
      let tokens = 0;
      const upTo = pieces.map(piece => (tokens += piece.tokens));
      const marks = pieces.flatMap(({ isMarked }, at) =>
        isMarked && upTo[at]! >= shortest(body.model) ? [at] : [],
      );
      const found = Math.max(-1, ...marks.map(mark => lastKept(pieces, mark, kept)));
      const read = upTo[found] ?? 0;
      const written = Math.max(0, (upTo[marks.at(-1) ?? -1] ?? 0) - read);
      for (const mark of marks) kept.add(pieces[mark]!.prefix);
      return { raw: tokens, read, written, priced: tokens - read - written + READ * read + WRITE * written };
    },
  };
}

function lastKept(pieces: readonly Piece[], mark: number, kept: ReadonlySet<string>): number {
  for (let at = mark; at >= Math.max(0, mark - LOOK_BACK); at--) if (kept.has(pieces[at]!.prefix)) return at;
  return -1;
}

function piecesOf({ model, tools = [], system = [], messages }: Cached): Piece[] {
  const blocks: [string, Block][] = [
    ...tools.map((block): [string, Block] => ['tool', block]),
    ...blocksOf(system).map((block): [string, Block] => ['system', block]),
    ...messages.flatMap(({ role, content }, at) =>
      blocksOf(content).map((block): [string, Block] => [`${role} ${at}`, block]),
    ),
  ];
  let prefix = model;
  return blocks.map(([place, { cache_control, ...block }]) => {
    prefix = createHash('sha256')
      .update(`${prefix}\n${place}\n${JSON.stringify(block)}`)
      .digest('hex');
    return { tokens: tokensIn(block), prefix, isMarked: Boolean(cache_control) };
  });
}

const blocksOf = (content: Content): readonly Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;

function tokensIn({ type = '', text, content, ...rest }: Block): number {
  if (type in native) return native[type] ?? 0;
  if (text !== undefined) return tokensOf(text);
  if (content !== undefined) return blocksOf(content).reduce((sum, block) => sum + tokensIn(block), 0);
  return tokensOf(JSON.stringify(rest));
}
