// What the subjects of the evaluator's benchmark are asked to do.

export interface Scenario {
  /** A sequence whose steps each get the result of the one before; a map with a join. */
  shape: 'sequence' | 'map';
  /** Steps or elements. */
  size: number;
  /** Whether what each step gave is kept so that a later process could go on. */
  journal: boolean;
}
