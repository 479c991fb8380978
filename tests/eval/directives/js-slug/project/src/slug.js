// The address of a page, made of its title.
export function slugOf(title) {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
