// htmlparser2 over a transcript as it is: behind the braces our tags look like tags of XML. It takes no notice of
// fenced code, so it finds those there too.
import { Parser } from 'htmlparser2';
import { tagNames } from '../../../src/engine/reasoning/operations/table.ts';
import { transcript } from './transcript.ts';

export default function prepare({ characters, isWide }) {
  const { text, written } = transcript(characters, isWide);
  const known = new Set(tagNames);
  return {
    units: Buffer.byteLength(text),
    calls: 0,
    run() {
      const found = blocksOf(text, known);
      if (found !== written) throw new Error(`${found} tags were found instead of ${written}`);
    },
  };
}

/** Attributes and bodies are taken as ours are; how many there were. */
function blocksOf(text, known) {
  const blocks = [];
  const open = [];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (known.has(name)) open.push({ name, attributes, from: parser.endIndex + 1 });
      },
      onclosetag(name) {
        if (open.at(-1)?.name !== name) return;
        const { attributes, from } = open.pop();
        blocks.push({ name, attributes, body: text.slice(from, parser.startIndex) });
      },
    },
    // Its fastest mode.
    { xmlMode: true, decodeEntities: false },
  );
  parser.write(text);
  parser.end();
  return blocks.length;
}
