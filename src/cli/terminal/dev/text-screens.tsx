import { Box, type DOMElement, measureElement } from 'ink'
import type { ReactElement } from 'react'
import type { LogDetails } from '../../../mock/log/log-details.js'
import type { LoggedMessage } from '../../../mock/log/logged-exchange.js'
import { signedOut } from '../../../mock/state/limit-words.js'
import { changeLines, messageLines } from '../../output/detail-lines.js'
import { isForced, requestText, responseText, statusColour } from '../../output/log-cells.js'
import { pluralize } from '../../output/pluralize.js'
import { moveIndex } from '../list.js'
import { Text } from '../text.js'
import type { DevScreen, Workbench } from './dev-screen.js'
import { urlFlag } from './mock-snapshot.js'

/**
 * Text that may be longer than the screen. Space and `b` scroll, and so do arrows unless they have another function.
 * @param press handles the other keys
 */
export function textScreen(
  bench: Workbench,
  content: () => ReactElement,
  hints: Record<string, string> = { '↑↓': 'scroll' },
  press: DevScreen['press'] = bench.openLog,
) {
  let first = 0
  let height = 1
  let element: DOMElement | null = null
  /** The last row stays at the bottom, also after a resize. */
  const scrollTo = (row: number) => {
    const rows = element?.yogaNode ? measureElement(element).height : Number.POSITIVE_INFINITY
    first = Math.max(0, Math.min(row, rows - height))
  }
  return {
    scrollTo,
    hints: () => ({ 'Space b': 'scroll', ...hints, Esc: 'back', q: 'quit' }),
    press(key) {
      const arrow = hints['↑↓'] === 'scroll' && key.key
      if (key.key === 'pageDown' || key.text === ' ') scrollTo(first + height - 1)
      else if (key.key === 'pageUp' || key.text === 'b') scrollTo(first - height + 1)
      else if (arrow === 'down' || arrow === 'up') scrollTo(first + (arrow === 'down' ? 1 : -1))
      else if (key.text === 'q') bench.quit()
      else press(key)
    },
    view(size) {
      height = size.height
      scrollTo(first)
      const keep = (box: DOMElement | null) => {
        element = box
      }
      return (
        <Box ref={keep} flexDirection="column" flexShrink={0} width={size.width} marginTop={-first}>
          {content()}
        </Box>
      )
    },
  } satisfies DevScreen & { scrollTo(row: number): void }
}

/** A request, its response, the changed records, and the curl command that repeats the request. */
export function detailsScreen(bench: Workbench, id: number, onSelect: (id: number) => void): DevScreen {
  let details: LogDetails | undefined
  const load = async () => {
    // The screen shows a text for a request that is no longer in the log.
    details = await bench.controls.log.entry(id).catch(() => undefined)
    bench.redraw()
  }
  let hasHeaders = false
  const content = () => (
    <Details
      bench={bench}
      id={id}
      details={details?.id === id ? details : undefined}
      hasHeaders={hasHeaders}
    />
  )
  const hints = { '↑↓': 'newer, older', h: 'headers', 'Home End': 'newest, oldest' }
  const screen = textScreen(bench, content, hints, (press) => {
    const { log } = bench.mock()
    const index = log.findIndex((entry) => entry.id === id)
    const moved = moveIndex(index, press, log.length)
    if (moved !== undefined) {
      id = log[moved]?.id ?? id
      screen.scrollTo(0)
      void load()
    } else if (press.text === 'h') {
      hasHeaders = !hasHeaders
      bench.redraw()
    } else if (press.key) {
      onSelect(id)
      bench.openLog()
    }
  })
  void load()
  return screen
}

type DetailsProps = { bench: Workbench; id: number; details: LogDetails | undefined; hasHeaders: boolean }

function Details({ bench, id, details, hasHeaders }: DetailsProps) {
  const { log, url } = bench.mock()
  const entry = log.find((candidate) => candidate.id === id)
  if (!entry) return <Text dimColor>This request is no longer in the log.</Text>
  const { time, ms, session, target, why, status, curl } = entry
  const facts = [time, `${ms.toFixed(1)} ms`, session ?? signedOut, target].filter(Boolean).join(' · ')
  const changed = details ? changeLines(details) : []
  const colours: Record<string, string> = { '-': 'red', '+': 'green' }
  const { request, response } = details ?? {}
  return (
    <>
      <Text color={statusColour(status)}>{`${requestText(entry)}  ${responseText(entry)}`}</Text>
      <Text {...(isForced(entry) && { color: 'yellow' })}>{`Decided by ${why}`}</Text>
      <Text dimColor>{facts}</Text>
      {response && <Message title="The response" message={response} hasHeaders={hasHeaders} />}
      {changed.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two changes may have the same lines, which have no state
        <Text key={i} color={colours[line.charAt(0)] ?? 'cyan'}>
          {line || ' '}
        </Text>
      ))}
      {request && <Message title="The request" message={request} hasHeaders={hasHeaders} />}
      <Text> </Text>
      <Text multiline>{curl}</Text>
      <Text dimColor>{`To copy it: npx dashboard-api mock log --curl ${id}${urlFlag(url)}`}</Text>
    </>
  )
}

type MessageProps = { title: string; message: LoggedMessage; hasHeaders: boolean }

/** A body with its headers, or with their number. */
function Message({ title, message, hasHeaders }: MessageProps) {
  const count = Object.keys(message.headers).length
  const shown = hasHeaders ? message : { ...message, headers: {} }
  const lines = messageLines(shown).filter((line, i) => i > 0 || line !== '')
  return (
    <Box flexDirection="column" marginTop={1}>
      <Text>
        <Text color="cyan">{title}</Text>
        {!hasHeaders && <Text dimColor>{`  ${pluralize(count, 'header')}, h shows them`}</Text>}
      </Text>
      <Text multiline>{lines.map(indentJson).join('\n') || '(no body)'}</Text>
    </Box>
  )
}

/** Indents JSON. In other lines tabs, whose width is unknown, become spaces. */
function indentJson(line: string): string {
  try {
    return JSON.stringify(JSON.parse(line), null, 2)
  } catch {
    return line.replaceAll('\t', '  ')
  }
}

/** The addresses of the waitlist, the newest first. */
export const waitlistScreen = (bench: Workbench): DevScreen =>
  textScreen(bench, () => {
    const { waitlist } = bench.mock()
    const title = `${pluralize(waitlist.length, 'address', 'addresses')} on the waitlist, the newest first\n`
    const lines = waitlist.map(({ email, createdAt }) => `${createdAt}  ${email}`)
    return <Text multiline>{[title, ...lines].join('\n')}</Text>
  })
