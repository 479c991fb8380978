// Text where markup is read: HTML, SVG and XML know these references alike.

/** Between tags. Within quotes `"` has to be escaped besides. */
export const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
