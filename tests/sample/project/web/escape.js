// Makes text safe to stand in HTML, between tags and in quoted attributes.

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text) {
  return text.replace(/[&<>"']/g, character => entities[character]);
}
