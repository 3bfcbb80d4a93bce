/** E.g. `12,345`. */
export const formatCount = (count: number): string => count.toLocaleString('en')

/** E.g. `1 session`, `12,345 sessions`. */
export const pluralize = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatCount(count)} ${count === 1 ? singular : plural}`
