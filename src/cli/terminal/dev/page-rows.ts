import type { LogEntry } from '../../../mock/core/request-log.js'
import { type Colour, isForced, requestText, responseText, statusColour } from '../../output/log-line.js'
import { printable, printableLines } from '../../output/printable.js'
import { wrapText } from '../wrap-text.js'
import type { MockSnapshot } from './mock-snapshot.js'
import type { Screen } from './screens.js'
import { urlOption } from './texts.js'

/** A row of a page of text. With a label, it has two columns. */
export type PageRow = { label?: string; text: string; style?: Colour | 'bold' | 'dim' }

/** A screen that shows a page of text, which scrolls. */
export type PageScreen = Extract<Screen, { type: 'help' | 'details' }>

export const isPage = (screen: Screen): screen is PageScreen =>
  screen.type === 'help' || screen.type === 'details'

const labelWidth = 12

/** The rows of a page, none longer than the width. */
export function pageRows(screen: PageScreen, mock: MockSnapshot, width: number): PageRow[] {
  const rows = screen.type === 'help' ? helpRows(mock) : detailRows(mock, screen.id)
  return rows.flatMap(({ label, text, style }) => {
    const lines = wrapText(text, label === undefined ? width : width - labelWidth)
    return lines.map((line, i) => ({
      label: label === undefined ? undefined : (i === 0 ? label : '').padEnd(labelWidth),
      text: line,
      style,
    }))
  })
}

const helpRows = ({ url }: MockSnapshot): PageRow[] => [
  { label: 'p', text: 'select the persona that the cookie session=active stands for' },
  { label: 'f', text: 'force an outcome of an operation, or clear what is forced' },
  { label: 'd', text: 'delay responses' },
  { label: 'c', text: 'stop the clock at a time, or let it run from there' },
  { label: 's  l', text: 'save or load a snapshot of the state' },
  { label: 'r', text: 'reset the mock' },
  { label: 'u  y', text: 'undo the last change of the state, or make it again' },
  { label: 'w', text: 'return the state to just before the selected request' },
  { label: 'a', text: 'send the selected request again' },
  { label: '↑ ↓  Enter', text: 'select a request and show its details' },
  { label: 'e', text: 'show the data: edit, add and remove records' },
  { label: 'o', text: 'open the page of the mock in the browser' },
  { label: 'Ctrl+U', text: 'clear what was entered' },
  { label: 'q  Ctrl+C', text: 'quit' },
  { text: '' },
  { text: 'The same as commands: npx dashboard-api --help', style: 'dim' },
  { text: `The same on a page: ${url}`, style: 'dim' },
]

/** Request, response, persona, what decided the response, and the curl command that repeats it. */
function detailRows({ log, url }: MockSnapshot, id: number): PageRow[] {
  const entry = log.find((candidate) => candidate.id === id)
  if (!entry) return [{ text: 'This request is no longer in the log.', style: 'dim' }]
  return [
    { text: printable(requestText(entry)), style: 'bold' },
    { label: 'Response', text: responseText(entry), style: statusColour(entry.status) },
    { label: 'Decided by', text: printable(entry.why), ...(isForced(entry) && { style: 'yellow' }) },
    ...plainFields(entry).map(([label, text]) => ({ label, text: printable(text) })),
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
