// Reads a table of a page, to hold it to the code.

/** The body rows of the page's table whose header is `header`, as they are written. Throws where no table has it. */
export function tableRows(page: string, header: string): string[] {
  const lines = page.split('\n');
  const at = lines.indexOf(header);
  if (at < 0) throw new Error(`no table has the header ${header}`);
  const rest = lines.slice(at + 2);
  const end = rest.findIndex(line => !line.startsWith('|'));
  return end < 0 ? rest : rest.slice(0, end);
}
