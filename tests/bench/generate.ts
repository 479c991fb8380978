// Programs of any size, always the same for the same size.

const sentences = [
  'Read what is there before you write, and say what you left out.',
  'Compare "{{request}}" with what the step before found: {{before}}',
  'Keep the answer short &amp; plain; a list has at most <![CDATA[<ten>]]> entries.',
  'Name the file and the line for each thing you found.',
];

/** A sequence of about `size` characters (at most that many) of atomic tasks as people write them. */
export function document(size: number): string {
  const head =
    '<task type="sequential" name="generated">\n  <inputs>\n    <input name="request"/>\n  </inputs>\n  <steps>\n';
  const tail = '  </steps>\n</task>\n';
  let source = head;
  for (let step = 1; ; step++) {
    const next = documentStep(step);
    if (source.length + next.length + tail.length > size) return source + tail;
    source += next;
  }
}

function documentStep(step: number): string {
  const before = step === 1 ? 'nothing' : `{{step-${step - 1}.summary}}`;
  const lines = Array.from(
    { length: 4 + (step % 5) },
    (_, line) => `      ${line + 1}. ${sentences[(step + line) % sentences.length]}`,
  );
  return `  <task name="step-${step}">
    <description>Part ${step} of {{request}}</description>
    <inputs>
      <input name="before">${before}</input>
      <input name="aim" from="request"/>
    </inputs>
    <instructions>
${lines.join('\n')}
      The aim is {{aim}}.
    </instructions>
    <output name="summary" type="string"/>
    <output name="found" type="number" nullable="true"/>
  </task>
`;
}

/** A sequence of `steps` atomic tasks, each of which reads the result of the one before. */
export function sequence(steps: number): string {
  const tasks = Array.from({ length: steps }, (_, index) => {
    const before = index === 0 ? 'nothing' : `{{step-${index}}}`;
    return `<task name="step-${index + 1}"><instructions>Go on from ${before}.</instructions></task>`;
  });
  return `<task type="sequential"><steps>${tasks.join('')}</steps></task>`;
}

/** How many elements a map works side by side, here and in those peers that have such a limit. */
export const PARALLEL = 8;

/** A map over `elements` texts. */
export function map(elements: number): string {
  const list = JSON.stringify(Array.from({ length: elements }, (_, index) => `element ${index}`));
  return `<task type="map"><over>${list}</over><inner_task><task><instructions>Work on {{item}}.</instructions></task></inner_task><parallel>${PARALLEL}</parallel></task>`;
}
