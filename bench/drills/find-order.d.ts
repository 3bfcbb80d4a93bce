export type Timed = { start: number; end: number }

/** Undefined if a history is linearizable. */
export function findContradiction<Operation extends Timed>(
  operations: Operation[],
  model: { initial: string; apply(state: string, operation: Operation): string | undefined },
): { order: Operation[]; stuck: Operation[] } | undefined
