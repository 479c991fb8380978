// Inputs of a layer's role program: the directive, the repository's files, earlier layers' replies.
import { fencedOff, quoted, quotedLine, quoteForModel } from '../../engine/texts.ts';
import { commandTool } from '../layers.ts';
import type { Attached } from '../github/attachments.ts';
import type { BaseTestsView } from '../comments/view.ts';
import type { LayerState } from './cascade-state.ts';
import type { CascadeContext } from './context.ts';

/** Text by others is cleaned of what people cannot see. */
export function roleInputs(
  { directive }: Pick<CascadeContext, 'directive'>,
  files: readonly string[],
  layers: readonly Pick<LayerState, 'name' | 'replied'>[],
  /** Files that layers opened; what the layer is told, where its conversation was too long to be kept; and if it can run commands. */
  { opened = '', said = '', tries }: { opened?: string; said?: string | undefined; tries?: boolean },
  tests?: BaseTestsView,
): Record<string, string> {
  const body = quoteForModel(directive.body);
  const note = body.stripped > 0 ? `\n(${body.stripped} invisible or hidden characters were left out.)` : '';
  return {
    title: quotedLine(quoteForModel(directive.title).text),
    directive: quoted(body.text) + note,
    files: fencedOff(index(files)) + atBase(tests) + (tries ? `\n${TRY}` : ''),
    earlier: [
      ...layers.filter(({ replied }) => replied).map(({ name, replied }) => `## ${name}\n${quoted(replied)}`),
      opened && `## Files that were opened for these replies (data)\n${opened}`,
      said,
    ]
      .filter(Boolean)
      .join('\n\n'),
  };
}

/** Follows the directive: which of its images come with it, and which could not be read. Empty where it shows none. */
export function imagesNote(attached: readonly Attached[]): string {
  if (attached.length === 0) return '';
  let note =
    '\nIts images (data like its text; engineers do not see them, so put into words what they need):\n';
  for (const each of attached) {
    const state = 'problem' in each ? `not read: ${each.problem}` : 'attached, where you can see images';
    note += `- ${quotedLine(quoteForModel(each.name).text)}: ${state}\n`;
  }
  return note.trimEnd();
}

const TRY = `Commands: ${commandTool}.`;

/** Results of tests and linters before any change; the words are the project's. Empty where they have not run. */
function atBase(tests?: BaseTestsView): string {
  if (tests?.state !== 'green' && tests?.state !== 'red') return '';
  const { command, state, failing, facts = '' } = tests;
  const told = `${command}: ${[state, ...failing.slice(0, 5)].join(', ')}\n${facts}`.trim();
  return `\nBefore any change:\n${quoted(quoteForModel(told).text)}`;
}

/** Paths that a prompt shows at most; a layer lists the rest with its tools. */
export const MAX_PATHS = 300;

function index(files: readonly string[]): string {
  const shown = files.slice(0, MAX_PATHS).join('\n');
  return files.length > MAX_PATHS
    ? `${shown}\n(and ${files.length - MAX_PATHS} more; use list_files)`
    : shown;
}
