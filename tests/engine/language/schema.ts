// The published schema as an independent reader of XML sees it.
import { readFileSync } from 'node:fs';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';

const schema = XmlDocument.fromString(readFileSync('prompts/task.xsd', 'utf8'));
const validator = XsdValidator.fromDoc(schema);

/** What keeps `source` from being well-formed and valid; undefined: nothing does. */
export function refusedBySchema(source: string): string | undefined {
  let document: XmlDocument | undefined;
  try {
    document = XmlDocument.fromString(source);
    validator.validate(document);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown';
  } finally {
    document?.dispose();
  }
}
