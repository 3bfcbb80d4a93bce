import type { Value } from './sql-database.js'

/** The conditions of a filter on records with a time, and the values of their parameters. */
export type Conditions = {
  list: string[]
  values: Value[]
  /** Adds a value. @returns its parameter */
  bind(value: Value): string
}

/**
 * Begins the conditions of a query. Absent filters add none: an `OR` would keep the index from being used.
 * @param time the column of the time
 */
export function conditionsOf(time: string, { since, until }: { since?: string; until?: string }): Conditions {
  const values: Value[] = []
  const bind = (value: Value) => `$${values.push(value)}`
  const list = ['true']
  if (since !== undefined) list.push(`${time} >= ${bind(since)}`)
  if (until !== undefined) list.push(`${time} < ${bind(until)}`)
  return { list, values, bind }
}
