/** A write of a client: the `name` of a creation, or the `number` of an update of a `project`. */
export type Write = { sent: number; acknowledged: number } & (
  | { name: string }
  | { project: string; number: number }
)

/** Compares a history with the projects of a database, which hold all of it up to some moment. */
export function compare(
  history: Write[],
  projects: { id: string; name: string; status: string }[],
  times?: { from?: number; to?: number },
): { lost: number; doubled: number; torn: boolean; foreign: number }
