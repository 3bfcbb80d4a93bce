const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Projects in the order of the list: newest first, equal times by id, descending. */
export const newestFirst = <One extends { id: string; createdAt: string }>(projects: readonly One[]): One[] =>
  [...projects].sort((a, b) => compare(b.createdAt, a.createdAt) || compare(b.id, a.id))
