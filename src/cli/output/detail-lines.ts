import type { LogDetails, LoggedMessage } from '../../mock/core/log-details.js'

/** A request of the log with its response, as HTTP shows them, and the records that it changed. */
export function detailLines(details: LogDetails): string[] {
  const { method, path, status, code, why, request, response, changes } = details
  return [
    `${method} ${path}`,
    ...headerLines(request),
    ...bodyLines(request),
    '',
    [status || 'no response', code, `(${why})`].filter(Boolean).join(' '),
    ...(response ? [...headerLines(response), ...bodyLines(response)] : []),
    ...(changes?.flatMap(changeLines) ?? ['', 'What it changed is no longer stored.']),
  ]
}

export const headerLines = ({ headers }: LoggedMessage): string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`)

export function bodyLines({ body }: LoggedMessage): string[] {
  if (!body) return []
  const { text, length } = body
  if (text === undefined) return ['', `(a body of ${length}, which is not stored)`]
  return [
    '',
    ...text.split('\n'),
    ...(text.length < length ? [`(${text.length} of ${length} characters)`] : []),
  ]
}

/** A new or removed record, or the fields that changed. */
export function changeLines({
  kind,
  key,
  before,
  after,
}: NonNullable<LogDetails['changes']>[number]): string[] {
  const what = before ? (after ? 'changed' : 'removed') : 'added'
  return [
    '',
    `${kind} ${key} ${what}`,
    ...(before ? [`- ${JSON.stringify(differing(before, after))}`] : []),
    ...(after ? [`+ ${JSON.stringify(differing(after, before))}`] : []),
  ]
}

const differing = (record: object, other: object = {}): object =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(other, name)),
    ),
  )
