import type { LogDetails } from '../../mock/log/log-details.js'
import type { LoggedMessage } from '../../mock/log/logged-exchange.js'

/** A logged request and its response, in the form of HTTP messages, and the changed records. */
export function detailLines(details: LogDetails): string[] {
  const { method, path, status, code, why, request, response } = details
  return [
    `${method} ${path}`,
    ...messageLines(request),
    '',
    [status || 'no response', code, `(${why})`].filter(Boolean).join(' '),
    ...(response ? messageLines(response) : []),
    ...changeLines(details),
  ]
}

/** The headers and the body of a request or a response. */
export function messageLines({ headers, body }: LoggedMessage): string[] {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  if (!body) return lines
  const { text, length } = body
  if (text === undefined) return [...lines, '', `(a body of ${length}, which is not stored)`]
  const cut = text.length < length ? [`(${text.length} of ${length} characters)`] : []
  return [...lines, '', ...text.split('\n'), ...cut]
}

/** The added and removed records, and the changed fields of others. */
export function changeLines({ changes }: Pick<LogDetails, 'changes'>): string[] {
  if (!changes) return ['', 'What it changed is not stored.']
  return changes.flatMap(({ kind, key, before, after }) => [
    '',
    `${kind} ${key} ${before ? (after ? 'changed' : 'removed') : 'added'}`,
    ...(before ? [`- ${JSON.stringify(differing(before, after))}`] : []),
    ...(after ? [`+ ${JSON.stringify(differing(after, before))}`] : []),
  ])
}

const differing = (record: object, other: object = {}): object =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(other, name)),
    ),
  )
