// Labels as GitHub compares them: without case, so that `Echelon` and `echelon` are one label of a repository.

export const sameLabel = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

export const hasLabel = (labels: readonly string[], name: string): boolean =>
  labels.some(each => sameLabel(each, name));
