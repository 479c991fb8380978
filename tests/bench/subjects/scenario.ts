// Scenarios for the subjects of the evaluator's benchmark.

export interface Scenario {
  /** A sequence whose steps each get the result of the one before; a map with a join. */
  shape: 'sequence' | 'map';
  /** Steps or elements. */
  size: number;
  /** True if each step's result is kept so that a later process could continue. */
  journal: boolean;
}
