import { type Operation, type OperationName, operationNames, operations } from './operations.js'

/** The methods of some operations, each once. GET implies HEAD. */
export const methodsOf = (names: readonly OperationName[]): string[] => [
  ...new Set(
    names.flatMap((name) => (operations[name].method === 'GET' ? ['GET', 'HEAD'] : operations[name].method)),
  ),
]

/** Every method of the table. Adapters derive the methods of CORS from it. */
export const operationMethods: readonly string[] = methodsOf(operationNames)

/** The operation of a request, or the methods that its path allows. */
export type Route =
  | { operation: OperationName; params: Record<string, string>; allow?: never }
  | { operation?: never; params?: never; allow: string[] }

const patterns = operationNames.map((name) => ({ name, segments: operations[name].path.split('/') }))

/** Finds the operation for a method and the path of a URL. HEAD is routed like GET. `allow` is empty for an unknown path. */
export function route(method: string, path: string): Route {
  const tableMethod = method === 'HEAD' ? 'GET' : method
  const segments = path.split('/').map(decodeSegment)
  const matching: OperationName[] = []
  for (const { name, segments: pattern } of patterns) {
    const params = match(pattern, segments)
    if (!params) continue
    if (operations[name].method === tableMethod) return { operation: name, params }
    matching.push(name)
  }
  return { allow: methodsOf(matching) }
}

/** The form of all errors at a path (section 7). The operations of a path share it. */
export function errorFormAt(path: string): Operation['errorForm'] {
  const segments = path.split('/').map(decodeSegment)
  const found = patterns.find((pattern) => match(pattern.segments, segments))
  return found ? operations[found.name].errorForm : 'full'
}

/** The query string of a URL, without the question mark. */
export const queryOf = (url = ''): string => /\?([^#]*)/.exec(url)?.[1] ?? ''

/** Decodes a segment of a path. Returns a malformed one, such as `%zz`, unchanged. */
const decodeSegment = (segment: string): string =>
  isDecodable(segment) ? decodeURIComponent(segment) : segment

/** A URL whose path every router can decode: malformed segments are encoded, so that they decode to the original. */
export function decodableUrl(url: string): string {
  const [path = ''] = url.split('?', 1)
  const segments = path
    .split('/')
    .map((segment) => (isDecodable(segment) ? segment : encodeURIComponent(segment)))
  return segments.join('/') + url.slice(path.length)
}

function isDecodable(segment: string): boolean {
  try {
    // Uses the result, since the bundler drops an unused call and with it the error.
    return decodeURIComponent(segment) !== undefined
  } catch {
    return false
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
