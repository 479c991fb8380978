// Marks of a school: 1 is the best, 6 the worst.
export type Mark = 1 | 2 | 3 | 4 | 5 | 6;

export const passed = (mark: Mark): boolean => mark <= 4;
