import { interfaceErrors } from '../../src/contract/errors.js'
import { route } from '../../src/contract/route.js'
import { type Behaviour, jsonOf, type ProxyResponse, withJson } from './broken-server-proxy.js'

// Broken servers that are generated: each changes the responses of one kind in one way.

/** A response that a server without faults has given. */
export type Sample = { method: string; path: string; response: ProxyResponse }

/** A server that changes the responses of one kind. */
type ChangedResponses = { change: string; behave: Behaviour }

/** What a request asks for: an operation, or why it leads to none. */
export function kindOfRequest({ method, path }: Pick<Sample, 'method' | 'path'>): string {
  const pathname = path.split('?', 1)[0] ?? ''
  const { operation, allow } = route(method, pathname)
  const none = allow?.length ? 'another method' : 'an unknown path'
  const page = /^\/(docs|auth)\//.test(path) ? pathname.split('/').slice(0, 3).join('/') : 'a path outside'
  const what = operation ?? (path.startsWith('/v1/') ? none : page)
  return method === 'HEAD' ? `HEAD of ${what}` : what
}

/** The kind of a response: what was asked for, the status, and the code. */
export function kindOf({ method, path, response }: Sample): string {
  const { code } = Object(jsonOf(response)) as { code?: string }
  return [kindOfRequest({ method, path }), response.status, code].filter(Boolean).join(' ')
}

/** The broken servers of a kind of response. @param sample a response of the kind */
export function changedResponses(kind: string, { response }: Sample): ChangedResponses[] {
  const json = jsonOf(response)
  const { code } = Object(json) as { code?: string }
  const changes: [string, (response: ProxyResponse) => ProxyResponse][] = [
    ...statusChanges(response.status),
    ...headerChanges(response),
    ...(typeof json === 'object' && json !== null && response.text !== ''
      ? bodyChanges(json).map(([change, edit]): [string, (response: ProxyResponse) => ProxyResponse] => [
          change,
          (actual) => withJson(actual, edit(structuredClone(jsonOf(actual)))),
        ])
      : []),
    ...(code === undefined ? [] : otherCodes(code)),
  ]
  return changes.map(([change, edit]) => ({
    change,
    async behave(request, send) {
      const actual = await send(request)
      // The length of a changed body is not known to HEAD.
      if (request.method === 'HEAD' && !kind.startsWith('HEAD of')) delete actual.headers['content-length']
      return kindOf({ ...request, response: actual }) === kind ? edit(actual) : actual
    },
  }))
}

type Change = [string, (response: ProxyResponse) => ProxyResponse]

const statusChanges = (status: number): Change[] =>
  [200, 201, 204, 302, 400, 404, 422, 500].flatMap((other) =>
    other === status ? [] : [[`status ${other}`, (response) => ({ ...response, status: other })] as Change],
  )

const checkedHeaders = ['content-type', 'cache-control', 'allow', 'location', 'set-cookie']

const headerChanges = ({ headers }: ProxyResponse): Change[] => [
  ...checkedHeaders
    .filter((name) => headers[name] !== undefined)
    .map((name): Change => {
      return [
        `no ${name}`,
        (response) => {
          const { [name]: _, ...rest } = response.headers
          return { ...response, headers: rest }
        },
      ]
    }),
  ...[
    ['content-type', 'text/plain'],
    ['cache-control', 'public, max-age=60'],
  ]
    .filter(([name = '']) => headers[name] !== undefined)
    .map(
      ([name = '', value = '']): Change => [
        `${name}: ${value}`,
        (response) => ({ ...response, headers: { ...response.headers, [name]: value } }),
      ],
    ),
]

const otherCodes = (code: string): Change[] =>
  [...Object.keys(interfaceErrors), 'SOMETHING_ELSE']
    .filter((other) => other !== code)
    .map(
      (other): Change => [
        `code ${other}`,
        (response) => withJson(response, { ...Object(jsonOf(response)), code: other }),
      ],
    )

type Path = (string | number)[]
type Edit = (json: unknown) => unknown

/** Each field removed, renamed, null and of another type; a field added to each object; each array reversed, cut short and repeated. */
function bodyChanges(json: object): [string, Edit][] {
  const changes: [string, Edit][] = []
  const visit = (value: unknown, path: Path) => {
    const name = path.join('.') || 'the body'
    const at =
      (edit: (parent: Record<string, unknown>, key: string) => void): Edit =>
      (body) => {
        const root: Record<string, unknown> = { body }
        let parent = root
        let key = 'body'
        for (const part of path) {
          const next = parent[key]
          if (typeof next !== 'object' || next === null) return body
          parent = next as Record<string, unknown>
          key = String(part)
        }
        if (key in parent) edit(parent, key)
        return root.body
      }
    const replace = (to: (value: unknown) => unknown): Edit =>
      at((parent, key) => {
        parent[key] = to(parent[key])
      })
    const isItem = typeof path.at(-1) === 'number'
    if (path.length > 0 && !isItem) {
      changes.push(
        [`${name} removed`, at((parent, key) => delete parent[key])],
        [
          `${name} renamed`,
          at((parent, key) => {
            parent[`${key}_`] = parent[key]
            delete parent[key]
          }),
        ],
        [`${name} a number`, replace(() => 7)],
        [`${name} an array`, replace((old) => (Array.isArray(old) ? { items: old } : [old]))],
      )
      if (value !== null) changes.push([`${name} null`, replace(() => null)])
      if (typeof value === 'string')
        changes.push(
          [`${name} another string`, replace((old) => `${old}-x`)],
          [`${name} empty`, replace(() => '')],
        )
      if (typeof value === 'boolean') changes.push([`${name} negated`, replace((old) => !old)])
    }
    if (Array.isArray(value)) {
      if (value.length > 0) {
        changes.push(
          [`${name} empty`, replace(() => [])],
          [`${name} without its last item`, replace((old) => (old as unknown[]).slice(0, -1))],
        )
        changes.push([
          `${name} with an item twice`,
          replace((old) => [...(old as unknown[]), ...(old as unknown[]).slice(-1)]),
        ])
        visit(value[0], [...path, 0])
      }
      if (value.length > 1)
        changes.push([`${name} reversed`, replace((old) => [...(old as unknown[])].reverse())])
      changes.push([`${name} with another item`, replace((old) => [...(old as unknown[]), 'another'])])
    } else if (typeof value === 'object' && value !== null) {
      changes.push([`${name} with another field`, replace((old) => ({ ...Object(old), another: 1 }))])
      for (const [key, part] of Object.entries(value)) visit(part, [...path, key])
    }
  }
  visit(json, [])
  return changes
}
