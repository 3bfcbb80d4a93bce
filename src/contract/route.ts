import { type OperationName, operationNames, operations } from './operations.js'

/** Where a request leads: an operation, a path that lacks the method, or nowhere. */
export type Route =
  | { operation: OperationName; params: Record<string, string>; allow?: never }
  | { operation?: never; params?: never; allow: string[] }

const patterns = operationNames.map((name) => ({ name, segments: operations[name].path.split('/') }))

/**
 * Finds the operation for a method and the path of a URL. HEAD goes where GET goes.
 * Without one, `allow` lists the methods that the path takes: none where the path is not of the interface.
 */
export function route(method: string, path: string): Route {
  const wanted = method === 'HEAD' ? 'GET' : method
  const segments = decodeSegments(path)
  const allow: string[] = []
  for (const { name, segments: pattern } of patterns) {
    const params = segments && match(pattern, segments)
    if (!params) continue
    if (operations[name].method === wanted) return { operation: name, params }
    allow.push(operations[name].method)
  }
  return { allow: allow.includes('GET') ? [...allow, 'HEAD'] : allow }
}

/** The decoded segments of a path, or nothing where it is not percent-encoded UTF-8. */
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
