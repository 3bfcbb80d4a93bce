import { isBodiless, type SentRequest } from './sent-request.js'
import { type HandlerTarget, splitTarget, type Target } from './target-name.js'

/** The longest body that is looked at for the name of a GraphQL operation, in bytes. */
const maxBytes = 64 * 1024

const isJson = /^application\/(json|[\w.-]+\+json)/i

/** Whether a request may be one of GraphQL, whose operation is named in its body. */
const mayBeGraphQL = ({ headers }: SentRequest): boolean =>
  isJson.test(headers['content-type'] ?? '') && !(Number(headers['content-length']) > maxBytes)

/** The operation of a GraphQL request, such as `query GetUser`. @param body undefined if it is not known */
export function graphqlName(sent: SentRequest, body: Uint8Array | undefined): HandlerTarget | undefined {
  if (isBodiless(sent.method)) {
    if (!sent.url.includes('query=')) return undefined
    const { searchParams } = new URL(sent.url)
    const query = searchParams.get('query')
    return query === null ? undefined : nameIn(query, searchParams.get('operationName'))
  }
  if (!mayBeGraphQL(sent) || !body || body.length > maxBytes) return undefined
  try {
    const { query, operationName } = Object(JSON.parse(decoder.decode(body)))
    return typeof query === 'string' ? nameIn(query, operationName) : undefined
  } catch {
    return undefined
  }
}

const decoder = new TextDecoder()

/** One without a name has the type alone, of which `*` stands for the name. */
function nameIn(query: string, wanted: unknown): HandlerTarget | undefined {
  const text = query.replaceAll(/#[^\n]*|"""[\s\S]*?"""|"(?:\\.|[^"\\])*"/g, ' ')
  const found = [...text.matchAll(/(?:^|[\s}])(query|mutation|subscription)\b\s*(\w*)/g)]
  const [, type, name] = found.find(([, , each]) => each === wanted) ?? found[0] ?? []
  if (type) return `${type} ${name || '*'}`
  return /^\s*\{/.test(text) ? 'query *' : undefined
}

/** The place of a GraphQL operation that no handler answers. Its body is read for the name, and left to others. */
export async function graphqlPlace(sent: SentRequest): Promise<Target | undefined> {
  const body = isBodiless(sent.method) || !mayBeGraphQL(sent) ? undefined : await sent.peek()
  const name = graphqlName(sent, body)
  return name && splitTarget(name)
}
