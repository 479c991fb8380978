// Programs of any size, always the same for the same size.

/** A sequence of `steps` atomic tasks, each of which reads the result of the one before. */
export function sequence(steps: number): string {
  const tasks = Array.from({ length: steps }, (_, index) => {
    const before = index === 0 ? 'nothing' : `{{step-${index}}}`;
    return `<task name="step-${index + 1}"><instructions>Go on from ${before}.</instructions></task>`;
  });
  return `<task type="sequential"><steps>${tasks.join('')}</steps></task>`;
}

/** Elements that a map processes at the same time, here and in those peers that have such a limit. */
export const PARALLEL = 8;

/** A map over `elements` texts. */
export function map(elements: number): string {
  const list = JSON.stringify(Array.from({ length: elements }, (_, index) => `element ${index}`));
  return `<task type="map"><over>${list}</over><inner_task><task><instructions>Work on {{item}}.</instructions></task></inner_task><parallel>${PARALLEL}</parallel></task>`;
}
