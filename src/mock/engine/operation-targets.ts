import { operationNames, operations } from '../../contract/operations.js'
import type { Target } from './target-name.js'

/** The operations of the interface, with ids in their paths as `:id`. */
export const operationTargets = operationNames.map((name): Target => {
  const { method, path } = operations[name]
  return { target: name, kind: 'operation', method, path: withColons(path) }
})

/** The operation with a method and path, such as `POST /v1/projects`, in upper or lower case. */
export function operationAt(request: string): Target | undefined {
  const wanted = withColons(request).toLowerCase()
  return operationTargets.find(({ method, path }) => `${method} ${path}`.toLowerCase() === wanted)
}

function withColons(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}
