/** A number as it is read: 12,345. */
export const formatCount = (count: number): string => count.toLocaleString('en')

/** A number of things: `1 session`, `12,345 sessions`. */
export const pluralize = (count: number, one: string, several = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : several}`
