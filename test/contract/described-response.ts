import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { operations } from '../../src/contract/operations.js'
import { route } from '../../src/contract/route.js'

type Described = {
  $ref?: string
  headers?: Record<string, unknown>
  content?: Record<string, { schema: unknown }>
}

/** The description of a response in openapi.json: a JSON pointer and the value there. */
type Found = { pointer: string; described: Described }

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema(document, 'openapi.json')

const escapePointer = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')

/** The description of a status, or the default description. */
function find(path: string, method: string, status: number): Found {
  const { responses } = document.paths[path][method]
  const key = String(status) in responses ? String(status) : 'default'
  const response: Described = responses[key]
  if (!response.$ref) {
    return { pointer: `/paths/${escapePointer(path)}/${method}/responses/${key}`, described: response }
  }
  const name = response.$ref.split('/').at(-1) ?? ''
  return { pointer: `/components/responses/${name}`, described: document.components.responses[name] }
}

/**
 * Compares a response with the description of its operation and status in openapi.json.
 * @returns the differences, one sentence each; none for a path or method that is not an operation
 */
export function undescribed(
  { method, path }: { method: string; path: string },
  response: { status: number; headers: Record<string, string>; text: string },
): string[] {
  const { operation } = route(method, path.split('?', 1)[0] ?? '')
  if (!operation) return []
  const { status, headers, text } = response
  const { pointer, described } = find(
    operations[operation].path,
    operations[operation].method.toLowerCase(),
    status,
  )
  const named = `${operation} ${status} (${pointer})`
  if (!described.content) return text === '' ? [] : [`${named}: a body is not described: ${text}`]
  const type = headers['content-type']?.split(';', 1)[0] ?? ''
  if (!described.content[type]) return [`${named}: the content type ${type} is not described`]
  if ('retry-after' in headers && !described.headers?.['Retry-After']) {
    return [`${named}: Retry-After is not described`]
  }
  if (method === 'HEAD') return []
  // Each schema is compiled once.
  const validate = ajv.getSchema(`openapi.json#${pointer}/content/${escapePointer(type)}/schema`)
  if (!validate) return [`${named}: there is no schema of ${type}`]
  return validate(JSON.parse(text)) ? [] : [`${named}: ${ajv.errorsText(validate.errors)}: ${text}`]
}
