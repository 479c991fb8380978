// A native call as the tag that means the same.
import { callForms } from '../../../../src/engine/reasoning/operations/table.ts';
import { attributeNames } from '../../../../src/engine/reasoning/tags/forms.ts';

export function asTag(name: string, input: unknown): string {
  const call = callForms.get(name);
  if (!call) return `{{<tool name="${name}">}}${JSON.stringify(input)}{{</tool>}}`;
  const { tag } = call;
  if (typeof input !== 'object' || input === null)
    throw new Error('an operation has an object for its input');
  let head = `{{<${tag}`;
  let body: string | undefined;
  for (const [key, value] of Object.entries(input)) {
    const written = String(value);
    const quote = written.includes('"') ? "'" : '"';
    // A content that no quotes go around is a body, and so is what is not an attribute anyway.
    if (key === call.body && (written.includes(quote) || !attributeNames(tag).has(key))) body = written;
    else head += ` ${key}=${quote}${written}${quote}`;
  }
  return body === undefined ? `${head} />}}` : `${head}>}}\n${body}\n{{</${tag}>}}`;
}
