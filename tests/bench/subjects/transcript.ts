// Texts with the tags of a session, always the same for the same size.

export interface Transcript {
  text: string;
  /** Number of effective tags, without those in fenced code. */
  blocks: number;
  /** Number of opening tags, including those in fenced code. */
  written: number;
}

/** Replies of a model as one text of at most `characters`, a tag in about 600 characters. */
export function transcript(characters: number, isWide: boolean): Transcript {
  let text = '';
  let blocks = 0;
  let written = 0;
  for (let turn = 1; ; turn++) {
    const reply = replies[turn % replies.length]!(turn);
    // One character beyond Latin-1 makes every character of a text two bytes in memory.
    const next = isWide ? reply.text.replaceAll(' - ', ' \u2013 ') : reply.text;
    if (text.length + next.length > characters) return { text, blocks, written };
    text += next;
    blocks += reply.blocks;
    written += reply.blocks + reply.quoted;
  }
}

/** `count` tags that are never closed in `characters`, each on its line. */
export function unclosed(count: number, characters: number): string {
  return `${'{{<js_execute>}}'.padEnd(characters / count - 1, ' abc')}\n`.repeat(count);
}

interface Reply {
  text: string;
  blocks: number;
  quoted: number;
}

const replies: ((turn: number) => Reply)[] = [
  turn => ({
    blocks: 3,
    quoted: 0,
    text: `${prose(turn, 6)}
{{<js_execute>}}
const rows = (await vault.get('report-${turn - 1}')).split('\\n');
const totals = {};
for (let index = 0; index < rows.length; index++) {
  const [name, amount] = rows[index].split(';');
  if (!name || Number(amount) <= 0) continue;
  totals[name] = (totals[name] ?? 0) + Number(amount);
}
const sorted = Object.entries(totals).sort(([, a], [, b]) => b - a);
console.log('names', sorted.length);
await vault.set('totals-${turn}', { type: 'data', description: 'totals by name', content: sorted });
return sorted.slice(0, 5);
{{</js_execute>}}
${prose(turn + 1, 3)}
{{<memory identifier="totals-${turn}" heading="Totals" content="The totals of report ${turn - 1} are in the vault." important="true" />}}
{{<task identifier="report-${turn}" heading="Read report ${turn}" content="As the one before." status="ongoing" notes='so far "${turn}" of them' />}}
`,
  }),
  turn => ({
    blocks: 2,
    quoted: 1,
    text: `## What comes next\n
${prose(turn, 5)}
- a list with \`code\`, and
- a second entry: {{name}} is a placeholder, not a tag.

\`\`\`
{{<goal identifier="quoted" heading="No goal" content="This one is shown, not meant." />}}
if (a < b && c > d) return [a, b];
\`\`\`

{{<tool name="read_file">}}
{"path": "src/report-${turn}.ts", "from": ${turn}, "lines": 120}
{{</tool>}}
${prose(turn + 3, 4)}
{{<goal identifier="report-${turn - 1}" status="finished" />}}
`,
  }),
  turn => ({
    blocks: 2,
    quoted: 0,
    text: `${prose(turn, 4)}
{{<datavault id="report-${turn}" type="text" description="What report ${turn} says">}}
${prose(turn + 2, 9)}
{{</datavault>}}
{{<datavault action="request_read" id="totals-${turn - 2}" limit="2000" />}}
${prose(turn + 5, 2)}
`,
  }),
];

const sentences = [
  'The report names the same three parts as the one before, in another order - that is why the sums differ.',
  "I read the file first, since its second half was cut off in the last answer, and it's short.",
  'Two entries are missing (the ones with no amount), so the totals are kept apart until they are found.',
  'If the next figures agree, a = b + c holds & nothing has to be changed; else I look at the source.',
  'What is left: the names with an accent, and the empty line at the end of each part.',
];

/** `count` sentences, one after the other, in lines of two. */
function prose(from: number, count: number): string {
  return Array.from(
    { length: count },
    (_, index) => sentences[(from + index) % sentences.length]! + (index % 2 === 1 ? '\n' : ' '),
  ).join('');
}
