// Places in a program under test: `¦` stands where something is expected.

/** The source without the marks, and where they stand in it as line:column. */
export function placesOf(marked: string): { source: string; places: string[] } {
  const pieces = marked.split('¦');
  let before = '';
  const places = pieces.slice(0, -1).map(piece => {
    before += piece;
    const lines = before.split('\n');
    return `${lines.length}:${lines.at(-1)!.length + 1}`;
  });
  return { source: pieces.join(''), places };
}
