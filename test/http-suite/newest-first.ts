const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Sorts projects like the list: newest first, equal times by id, descending. */
export const newestFirst = <Item extends { id: string; createdAt: string }>(
  projects: readonly Item[],
): Item[] => [...projects].sort((a, b) => compare(b.createdAt, a.createdAt) || compare(b.id, a.id))
