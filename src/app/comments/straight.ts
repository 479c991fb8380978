// Texts for a layer's only draft that is listed as it stands (`layers: auto`).
import { type LayerId, layerName } from '../layers.ts';

/** Above the actions of a listing; empty: all layers were asked. */
export function notAsked(layers: readonly LayerId[]): string {
  if (layers.length === 0) return '';
  const names = layers.map(id => `the ${layerName(id)}`).join(' and ');
  return `**Not asked: ${names}** (\`layers: auto\`), as all of it is one issue.`;
}
