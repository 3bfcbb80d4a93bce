import { isBodiless, type SentRequest } from './sent-request.js'
import { type HandlerTarget, splitTarget, type Target } from './target-name.js'

/** The longest body that is searched for the name of a GraphQL operation, in bytes. */
const maxBytes = 64 * 1024

const isJson = /^application\/(json|[\w.-]+\+json)/i

/** Whether a request may be one of GraphQL, which names its operation in the body. */
const mayBeGraphQL = ({ headers }: SentRequest): boolean =>
  isJson.test(headers['content-type'] ?? '') && !(Number(headers['content-length']) > maxBytes)

/** The operation of a GraphQL request, such as `query GetUser`. @param body undefined if it is unknown */
export function graphqlName(sent: SentRequest, body: Uint8Array | undefined): HandlerTarget | undefined {
  if (isBodiless(sent.method)) {
    if (!sent.url.includes('query=')) return undefined
    const { searchParams } = new URL(sent.url)
    const query = searchParams.get('query')
    return query === null ? undefined : nameIn(query, searchParams.get('operationName'))
  }
  if (!mayBeGraphQL(sent) || !body || body.length > maxBytes) return undefined
  try {
    const text = decoder.decode(body)
    // Most bodies have no query, and are not parsed.
    if (!text.includes('"query"')) return undefined
    const { query, operationName } = Object(JSON.parse(text))
    return typeof query === 'string' ? nameIn(query, operationName) : undefined
  } catch {
    return undefined
  }
}

const decoder = new TextDecoder()

/** An operation without a name has `*` as its name. */
function nameIn(query: string, wanted: unknown): HandlerTarget | undefined {
  const text = query.replaceAll(/#[^\n]*|"""[\s\S]*?"""|"(?:\\.|[^"\\])*"/g, ' ')
  const found = [...text.matchAll(/(?:^|[\s}])(query|mutation|subscription)\b\s*(\w*)/g)]
  const [, type, name] = found.find(([, , each]) => each === wanted) ?? found[0] ?? []
  if (type) return `${type} ${name || '*'}`
  return /^\s*\{/.test(text) ? 'query *' : undefined
}

/** The target of a GraphQL operation that no handler answers. Reads the body, and leaves it to others. */
export async function graphqlPlace(sent: SentRequest): Promise<Target | undefined> {
  const body = isBodiless(sent.method) || !mayBeGraphQL(sent) ? undefined : await sent.peek()
  const name = graphqlName(sent, body)
  return name && splitTarget(name)
}
