// References to vault entries in code and content, and the entries in their place.
import { endOfName, type Fault, readAttributes } from './opening.ts';
import { placed, type TagProblem } from './scan.ts';

/** Characters that a text may have with its entries put in: what a session's whole vault may hold. */
const SUBSTITUTED_LIMIT = 4 * 1024 * 1024;

/**
 * `text` with each `{{<vaultref id="..." />}}` replaced by what `resolve` answers for its id; what is put in is not
 * searched again. The ids without an entry are `missing`, each once, in order. A malformed reference is a problem,
 * and so is a text that would grow too long; with either, or with missing ids, the text is returned as it was. Where
 * `isText` says so of its offset (which never gets smaller), one that is malformed or has no entry is text.
 */
export function substituteVaultRefs(
  text: string,
  resolve: (id: string) => string | undefined,
  isText: (offset: number) => boolean = () => false,
): { text: string; missing: string[]; problems: TagProblem[] } {
  const faults: Fault[] = [];
  const missing = new Set<string>();
  const parts: string[] = [];
  let copied = 0;
  let length = text.length;
  for (let open = text.indexOf(OPENING), at = 0; open >= 0; open = text.indexOf(OPENING, at)) {
    at = open + OPENING.length;
    if (endOfName(text, at - 1) !== at) continue;
    const read = readAttributes(text, at, 'vaultref');
    if (read.fault) {
      if (isText(open)) continue;
      faults.push({ offset: open, message: read.fault.message });
      continue;
    }
    at = read.end;
    const id = read.attributes['id'];
    if (id === undefined || !read.closesItself) {
      if (isText(open)) continue;
      faults.push({ offset: open, message: 'a reference to the vault is written {{<vaultref id="..." />}}' });
      continue;
    }
    const entry = resolve(id);
    if (entry === undefined) {
      if (!isText(open)) missing.add(id);
      continue;
    }
    length += entry.length - (read.end - open);
    if (length > SUBSTITUTED_LIMIT) {
      const message = `with this vault entry the text has more than ${SUBSTITUTED_LIMIT} characters`;
      faults.push({ offset: open, message });
      break;
    }
    parts.push(text.slice(copied, open), entry);
    copied = read.end;
  }
  const isWhole = faults.length === 0 && missing.size === 0;
  return {
    text: isWhole ? parts.join('') + text.slice(copied) : text,
    missing: [...missing],
    problems: placed(text, faults),
  };
}

const OPENING = '{{<vaultref';
