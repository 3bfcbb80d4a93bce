import type { LogDetails, LoggedMessage } from '../../../mock/core/log-details.js'
import type { LogEntry } from '../../../mock/core/request-log.js'
import { isForced, requestText, responseText, statusColour } from '../../output/log-line.js'
import { printable, printableLines } from '../../output/printable.js'
import type { MockSnapshot } from './mock-snapshot.js'
import type { PageRow } from './page-row.js'
import { urlOption } from './texts.js'

/** A request with its response, what it changed, and the curl command that repeats it. */
export function detailRows({ log, details, url }: MockSnapshot, id: number): PageRow[] {
  const entry = log.find((candidate) => candidate.id === id)
  if (!entry) return [{ text: 'This request is no longer in the log.', style: 'dim' }]
  return [
    { text: printable(requestText(entry)), style: 'bold' },
    { label: 'Response', text: responseText(entry), style: statusColour(entry.status) },
    { label: 'Decided by', text: printable(entry.why), ...(isForced(entry) && { style: 'yellow' }) },
    ...plainFields(entry).map(([label, text]) => ({ label, text: printable(text) })),
    // Loaded when the screen opens.
    ...(details?.id === id ? messageRows(details) : []),
    { text: '' },
    { text: printableLines(entry.curl) },
    { text: '' },
    { text: `To copy it: npx dashboard-api log --curl ${id}${urlOption(url)}`, style: 'dim' },
  ]
}

const plainFields = ({ session, operation, time, ms }: LogEntry): [label: string, text: string][] => [
  ['Persona', session ?? 'none'],
  ['Operation', operation ?? 'none'],
  ['Time', `${time}, ${ms.toFixed(1)} ms`],
]

const messageRows = ({ request, response, changes }: LogDetails): PageRow[] => [
  ...changeRows(changes),
  ...bodyRows('Body of the request', request),
  ...(response ? [...bodyRows('Body of the response', response), ...cutRows(response)] : []),
  ...headerRows('Headers of the request', request),
  ...(response ? headerRows('Headers of the response', response) : []),
]

const titleRows = (text: string): PageRow[] => [{ text: '' }, { text, style: 'bold' }]

function changeRows(changes: LogDetails['changes']): PageRow[] {
  if (!changes) return [...titleRows('Changes'), { text: 'No longer stored.', style: 'dim' }]
  return changes.flatMap(({ kind, key, before, after }) => [
    ...titleRows(printable(`${before ? (after ? 'Changed' : 'Removed') : 'Added'}: ${kind} ${key}`)),
    ...fieldRows(before ?? {}, after ?? {}),
  ])
}

/** The fields in which a record differs, as it was and as it is. */
function fieldRows(before: object, after: object): PageRow[] {
  const old = new Map(Object.entries(before))
  const now = new Map(Object.entries(after))
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name): PageRow[] => {
    const [was, is] = [old.get(name), now.get(name)].map((value) => JSON.stringify(value))
    if (was === is) return []
    return [
      ...(was === undefined ? [] : [{ text: printable(`- ${name}: ${was}`), style: 'red' as const }]),
      ...(is === undefined ? [] : [{ text: printable(`+ ${name}: ${is}`), style: 'green' as const }]),
    ]
  })
}

function bodyRows(title: string, { body }: LoggedMessage): PageRow[] {
  if (!body) return []
  const { text, length } = body
  if (text === undefined) {
    return [...titleRows(title), { text: `It has a length of ${length}, and is not stored.`, style: 'dim' }]
  }
  return [...titleRows(title), { text: printableLines(indented(text)) }]
}

/** How much of a long body is stored. That of a request is stored as a whole, or not at all. */
function cutRows({ body }: LoggedMessage): PageRow[] {
  const { text, length } = body ?? { length: 0 }
  if (text === undefined || text.length === length) return []
  return [{ text: `These are ${text.length} of ${length} characters.`, style: 'dim' }]
}

/** JSON with a line for each field; any other text as it is, but for tabs, whose width is not known. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text.replaceAll('\t', '  ')
  }
}

const headerRows = (title: string, { headers }: LoggedMessage): PageRow[] => [
  ...titleRows(title),
  ...Object.entries(headers).map(([name, value]) => ({ text: printable(`${name}: ${value}`) })),
]
