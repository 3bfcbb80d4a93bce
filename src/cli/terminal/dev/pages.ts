import type { LogDetails } from '../../../mock/core/log-details.js'
import type { Colour } from '../../output/columns.js'
import { bodyLines, changeLines, headerLines } from '../../output/detail-lines.js'
import { isForced, requestText, responseText, statusColour } from '../../output/log-line.js'
import { pluralize } from '../../output/pluralize.js'
import { printable, printableLines } from '../../output/printable.js'
import { wrapText } from '../wrap-text.js'
import { type MockSnapshot, urlOption } from './mock-snapshot.js'
import type { Screen } from './screen-types.js'

export type PageRow = { text: string; style?: Colour | 'dim' | 'cyan' }

/** The rows of a page of text, none longer than the width. */
export function pageRows(
  { page, id }: Extract<Screen, { type: 'page' }>,
  mock: MockSnapshot,
  width: number,
): PageRow[] {
  const rows =
    page === 'help' ? helpRows(mock) : page === 'waitlist' ? waitlistRows(mock) : detailRows(mock, id)
  return rows.flatMap(({ text, style }) => wrapText(text, width).map((line) => ({ text: line, style })))
}

/** A request with its response, what it changed, and the curl command that repeats it. */
function detailRows({ log, details, url }: MockSnapshot, id?: number): PageRow[] {
  const entry = log.find((candidate) => candidate.id === id)
  if (!entry) return [{ text: 'This request is no longer in the log.', style: 'dim' }]
  const { time, ms, session, target, why, status, curl } = entry
  const facts = [time, `${ms.toFixed(1)} ms`, session ?? 'no persona', target].filter(Boolean).join(' · ')
  return [
    { text: printable(`${requestText(entry)}  ${responseText(entry)}`), style: statusColour(status) },
    { text: printable(`Decided by ${why}`), ...(isForced(entry) && { style: 'yellow' }) },
    { text: printable(facts), style: 'dim' },
    // They are loaded when the screen opens.
    ...(details && details.id === id ? messageRows(details) : []),
    { text: '' },
    { text: printableLines(curl) },
    { text: `To copy it: npx dashboard-api log --curl ${id}${urlOption(url)}`, style: 'dim' },
  ]
}

function messageRows({ request, response, changes }: LogDetails): PageRow[] {
  const rows = (title: string, lines: string[] = []): PageRow[] =>
    lines.length === 0
      ? []
      : [
          { text: '' },
          { text: title, style: 'cyan' },
          ...lines.map((line) => ({ text: printableLines(jsonLines(line)) })),
        ]
  return [
    ...(changes?.flatMap(changeLines) ?? ['', 'What it changed is no longer stored.']).map(
      (line): PageRow => {
        const style = line.startsWith('- ') ? 'red' : line.startsWith('+ ') ? 'green' : 'cyan'
        return { text: printable(line), style }
      },
    ),
    ...rows('Body of the request', bodyLines(request).slice(1)),
    ...rows('Body of the response', response && bodyLines(response).slice(1)),
    ...rows('Headers of the request', headerLines(request)),
    ...rows('Headers of the response', response && headerLines(response)),
  ]
}

/** JSON with a line for each field; any other line as it is, but for tabs, whose width is not known. */
function jsonLines(line: string): string {
  try {
    return JSON.stringify(JSON.parse(line), null, 2)
  } catch {
    return line.replaceAll('\t', '  ')
  }
}

const waitlistRows = ({ waitlist }: MockSnapshot): PageRow[] => [
  { text: `${pluralize(waitlist.length, 'address', 'addresses')} on the waitlist, the newest first` },
  { text: '' },
  ...waitlist.map(({ email, createdAt }) => ({ text: printable(`${createdAt}  ${email}`) })),
]

const keys = [
  ['p', 'select the persona that the cookie session=active stands for'],
  ['f', 'force an outcome, of the selected request if there is one, or clear what is forced'],
  ['d', 'delay responses, those to the selected request if there is one'],
  ['u y', 'undo the last change of the state, or make it again'],
  ['r', 'reset the mock'],
  ['w', 'show the waitlist'],
  ['↑ ↓ Enter', 'select a request and show its details'],
  ['o', 'open the page of the mock in the browser'],
  ['Ctrl+U', 'clear what was entered'],
  ['q Ctrl+C', 'quit'],
] as const

const helpRows = ({ url }: MockSnapshot): PageRow[] => [
  ...keys.map(([key, text]) => ({ text: `${key.padEnd(11)} ${text}` })),
  { text: '' },
  { text: `The page has the rest: data, chaos, clock, snapshots, custom responses. ${url}`, style: 'dim' },
  { text: 'All of it as commands: npx dashboard-api --help', style: 'dim' },
]
