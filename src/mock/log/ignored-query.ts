import { type Operation, type OperationName, operations } from '../../contract/operations.js'
import type { Target } from '../engine/target-name.js'

/** The most stored names, and their maximum length: a client may send any. */
const maxNames = 10
const maxLength = 40

/**
 * The names of query parameters that an operation ignores, such as `_page` of json-server. Their values may be secret.
 * @returns undefined without such parameters, or if the target is no operation
 */
export function ignoredQuery({ kind, target }: Target, url: string): string[] | undefined {
  if (kind !== 'operation' || !url.includes('?')) return undefined
  if ((operations[target as OperationName] as Operation).query) return undefined
  const names = [...new Set(new URL(url).searchParams.keys())].filter(Boolean)
  return names.length > 0 ? names.slice(0, maxNames).map((name) => name.slice(0, maxLength)) : undefined
}
