import type { LogDetails, LoggedMessage } from '../../mock/core/log-details.js'

/** A request of the log with its response, as HTTP shows them, and the records that it changed. */
export function detailLines({ method, path, status, code, why, request, response, changes }: LogDetails) {
  return [
    `${method} ${path}`,
    ...messageLines(request),
    '',
    [status || 'no response', code, `(${why})`].filter(Boolean).join(' '),
    ...(response ? messageLines(response) : []),
    ...(changes ? changes.flatMap(changeLines) : ['', 'What it changed is no longer stored.']),
  ]
}

function messageLines({ headers, body }: LoggedMessage): string[] {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  if (!body) return lines
  const { text, length } = body
  if (text === undefined) return [...lines, '', `(a body of ${length}, which is not stored)`]
  return [...lines, '', ...text.split('\n')]
}

const changeLines = ({ kind, key, before, after }: NonNullable<LogDetails['changes']>[number]): string[] => [
  '',
  `${kind} ${key} ${before ? (after ? 'changed' : 'removed') : 'added'}`,
  ...(before ? [`- ${JSON.stringify(before)}`] : []),
  ...(after ? [`+ ${JSON.stringify(after)}`] : []),
]
