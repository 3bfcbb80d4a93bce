import type { ReactElement } from 'react'
import { terminalSize } from '../output/output.js'
import { openAlternateScreen } from './alternate-screen.js'
import type { KeyPress } from './key-press.js'

export type Size = { width: number; height: number }

export type LiveView = {
  redraw(): void
  /** Restores the terminal. */
  stop(): Promise<void>
  /** Settles after `stop`; rejects if rendering fails. */
  ended: Promise<unknown>
}

/**
 * Renders a view on the alternate screen, and again after each resize.
 * @param onMessage called with writes to stderr, which are held back
 */
export async function showLive(
  view: (size: Size) => ReactElement,
  onKeyPress: (press: KeyPress) => void,
  onMessage: (text: string) => void = () => {},
): Promise<LiveView> {
  const [{ render }, { withKeys }] = await Promise.all([import('ink'), import('./views/with-keys.js')])
  const frame = () => withKeys(view(terminalSize()), onKeyPress)
  let redraw = () => {}
  const screen = openAlternateScreen(() => redraw(), onMessage)
  try {
    // In debug mode Ink writes whole frames and nothing else. The screen draws the lines that changed.
    const ink = render(frame(), {
      stdout: screen.frames,
      debug: true,
      patchConsole: false,
      exitOnCtrlC: false,
    })
    redraw = () => ink.rerender(frame())
    const ended = ink.waitUntilExit().finally(screen.close)
    return {
      redraw: () => redraw(),
      async stop() {
        redraw = () => {}
        ink.unmount()
        screen.close()
        await ended
      },
      ended,
    }
  } catch (error) {
    screen.close()
    throw error
  }
}
