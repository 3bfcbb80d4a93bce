import { Writable } from 'node:stream'
import { terminalSize, writeData } from '../output/output.js'

/** The terminal's second screen, and what it takes to give the first one back as it was. */
export type TerminalScreen = {
  /** Each text that is written is a whole frame; only the lines that differ are drawn. */
  frames: NodeJS.WriteStream
  /** Gives the terminal back, and writes what was held. Further frames are dropped. */
  close(): void
}

// Without wrapping at the edge, a terminal that is made narrower cannot tear the frame before the next one.
const enter = '\x1b[?1049h\x1b[?25l\x1b[?7l'
// Cleared first: after a change of size some terminals would leave a part of it behind.
const leave = '\x1b[2J\x1b[H\x1b[?7h\x1b[?25h\x1b[?1049l'
// Terminals that know it show everything between at once (DEC mode 2026); the others ignore it.
const together = (text: string) => `\x1b[?2026h${text}\x1b[?2026l`

/** What it takes to turn one frame into another, line by line. */
export const changesOf = (before: string[], after: string[]): string =>
  Array.from({ length: Math.max(before.length, after.length) }, (_, i) =>
    before[i] === after[i] ? '' : `\x1b[${i + 1};1H\x1b[2K${after[i] ?? ''}\x1b[0m`,
  ).join('')

/**
 * Opens the second screen. It is left again however the process ends, short of a SIGKILL.
 * @param onResize called once the terminal has another size
 * @param onMessage called with what is written to standard error meanwhile; it is held, and written at the end
 */
export function openTerminalScreen(onResize: () => void, onMessage: (text: string) => void): TerminalScreen {
  let shown: string[] | undefined
  let isOpen = true
  let held = ''
  const writeError = process.stderr.write

  const frames = new Writable({
    decodeStrings: false,
    write(frame: string, _, done) {
      if (isOpen && frame !== '') {
        const next = frame.replace(/\n$/, '').split('\n').slice(0, terminalSize().height)
        const changes = shown ? changesOf(shown, next) : `\x1b[2J${changesOf([], next)}`
        if (changes) writeData(together(changes))
        shown = next
      }
      done()
    },
  })

  const resized = () => {
    shown = undefined
    onResize()
  }
  const close = () => {
    if (!isOpen) return
    isOpen = false
    process.stdout.off('resize', resized)
    process.off('exit', close).off('SIGHUP', hungUp)
    process.stderr.write = writeError
    process.stdin.setRawMode(false)
    writeData(leave)
    if (held) process.stderr.write(held)
  }
  const hungUp = () => {
    close()
    process.exit(129)
  }

  process.stdout.on('resize', resized)
  process.on('exit', close).on('SIGHUP', hungUp)
  process.stderr.write = (text: string | Uint8Array) => {
    held = (held + text).slice(-maxHeld)
    onMessage(String(text))
    return true
  }
  // Before anything is shown: from then on every key is the view's, Ctrl+C too.
  process.stdin.setRawMode(true)
  writeData(enter)

  Object.defineProperty(frames, 'columns', { get: () => terminalSize().width })
  return { frames: frames as unknown as NodeJS.WriteStream, close }
}

const maxHeld = 64 * 1024
