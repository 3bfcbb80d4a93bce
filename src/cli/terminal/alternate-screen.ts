import { Writable } from 'node:stream'
import { terminalSize, writeRaw } from '../output/output.js'

// Wrapping is off, so that a frame that is too wide after a resize does not move the lines below it.
const enter = '\x1b[?1049h\x1b[?25l\x1b[?7l'
// The screen is cleared first: after a resize some terminals would leave a part of it behind.
const leave = '\x1b[2J\x1b[H\x1b[?7h\x1b[?25h\x1b[?1049l'
// Terminals with synchronized output (DEC mode 2026) show the text at once; others ignore the mode.
const synchronized = (text: string) => `\x1b[?2026h${text}\x1b[?2026l`

/** The escape sequences that redraw the lines which differ between two frames. */
export const diffFrames = (before: string[], after: string[]): string =>
  Array.from({ length: Math.max(before.length, after.length) }, (_, i) =>
    before[i] === after[i] ? '' : `\x1b[${i + 1};1H\x1b[2K${after[i] ?? ''}\x1b[0m`,
  ).join('')

/**
 * Opens the alternate screen of the terminal. It is closed when the process ends in any way except SIGKILL.
 * @param onResize called after the terminal was resized
 * @param onMessage called with writes to stderr, which are held back until the screen is closed
 */
export function openAlternateScreen(onResize: () => void, onMessage: (text: string) => void) {
  let shown: string[] | undefined
  let isOpen = true
  let heldMessages = ''
  const writeError = process.stderr.write

  const frames = new Writable({
    decodeStrings: false,
    write(frame: string, _, done) {
      if (isOpen && frame !== '') {
        const next = frame.replace(/\n$/, '').split('\n').slice(0, terminalSize().height)
        const changes = shown ? diffFrames(shown, next) : `\x1b[2J${diffFrames([], next)}`
        if (changes) writeRaw(synchronized(changes))
        shown = next
      }
      done()
    },
  })

  const handleResize = () => {
    shown = undefined
    onResize()
  }
  // The shell has changed the modes of the terminal. setRawMode(true) alone would do nothing: raw mode is set already for Node.
  const handleContinue = () => {
    process.stdin.setRawMode(false)
    process.stdin.setRawMode(true)
    writeRaw(enter)
    handleResize()
  }
  const close = () => {
    if (!isOpen) return
    isOpen = false
    process.stdout.off('resize', handleResize)
    process.off('exit', close).off('SIGHUP', handleHangup).off('SIGCONT', handleContinue)
    process.stderr.write = writeError
    process.stdin.setRawMode(false)
    writeRaw(leave)
    if (heldMessages) process.stderr.write(heldMessages)
  }
  const handleHangup = () => {
    close()
    process.exit(129)
  }

  process.stdout.on('resize', handleResize)
  process.on('exit', close).on('SIGHUP', handleHangup).on('SIGCONT', handleContinue)
  process.stderr.write = (text: string | Uint8Array) => {
    heldMessages = (heldMessages + text).slice(-65_536)
    onMessage(String(text))
    return true
  }
  // Raw mode comes before the first frame: from then on the view reads every key, Ctrl+C too.
  process.stdin.setRawMode(true)
  writeRaw(enter)

  Object.defineProperty(frames, 'columns', { get: () => terminalSize().width })
  return {
    /** Each write is a whole frame; only the lines that differ are drawn. */
    frames: frames as unknown as NodeJS.WriteStream,
    /** Restores the terminal, and writes the messages that were held back. Further frames are dropped. */
    close,
  }
}
