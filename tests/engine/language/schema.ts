// The published schema as an independent reader of XML sees it.
import { readFileSync } from 'node:fs';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';

const schema = XmlDocument.fromString(readFileSync('prompts/task.xsd', 'utf8'));
const validator = XsdValidator.fromDoc(schema);

/** Returns the reason that `source` is not well-formed or not valid, otherwise undefined. */
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
