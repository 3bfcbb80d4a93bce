import { methodsOf, type OperationName, operationNames, operations } from './operations.js'

/** Where a request leads: to an operation, or to none; then `allow` lists the methods of the path. */
export type Route =
  | { operation: OperationName; params: Record<string, string>; allow?: never }
  | { operation?: never; params?: never; allow: string[] }

const patterns = operationNames.map((name) => ({ name, segments: operations[name].path.split('/') }))

/**
 * Finds the operation for a method and the path of a URL. HEAD is routed like GET.
 * `allow` is empty where the path is not in the interface.
 */
export function route(method: string, path: string): Route {
  const tableMethod = method === 'HEAD' ? 'GET' : method
  const segments = decodeSegments(path)
  const matching: OperationName[] = []
  for (const { name, segments: pattern } of patterns) {
    const params = segments && match(pattern, segments)
    if (!params) continue
    if (operations[name].method === tableMethod) return { operation: name, params }
    matching.push(name)
  }
  return { allow: methodsOf(matching) }
}

/** The decoded segments of a path; undefined where it is not percent-encoded UTF-8. */
function decodeSegments(path: string): string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    return undefined
  }
}

function match(pattern: string[], segments: string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined
  const params: Record<string, string> = {}
  for (const [i, part] of pattern.entries()) {
    const segment = segments[i] ?? ''
    if (part.startsWith('{')) params[part.slice(1, -1)] = segment
    else if (part !== segment) return undefined
  }
  return params
}
