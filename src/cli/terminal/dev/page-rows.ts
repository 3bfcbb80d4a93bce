import { wrapText } from '../wrap-text.js'
import { detailRows } from './detail-rows.js'
import type { MockSnapshot } from './mock-snapshot.js'
import type { PageRow } from './page-row.js'
import type { Screen } from './screens.js'

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
  { label: 'f', text: "force an outcome or a response of one's own, or clear what is forced" },
  { label: 'd', text: 'delay responses' },
  { label: 'x', text: 'let requests fail at random' },
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
