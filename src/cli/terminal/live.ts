import type { ReactElement } from 'react'
import { terminalSize } from '../output/output.js'
import type { Press } from './key-press.js'
import { openTerminalScreen } from './terminal-screen.js'

export type Size = { width: number; height: number }

/** A view that has the terminal to itself. */
export type LiveView = {
  redraw(): void
  /** Gives the terminal back. */
  stop(): Promise<void>
  /** Rejects where the view cannot be drawn; settles after `stop`. */
  ended: Promise<unknown>
}

/**
 * Draws a view on a screen of its own, anew whenever the terminal's size changes.
 * @param onPress told of each key
 * @param onMessage told of what would have been written to standard error
 */
export async function showLive(
  view: (size: Size) => ReactElement,
  onPress: (press: Press) => void,
  onMessage: (text: string) => void = () => {},
): Promise<LiveView> {
  const [{ render }, { withKeys }] = await Promise.all([import('ink'), import('./views/with-keys.js')])
  const frame = () => withKeys(view(terminalSize()), onPress)
  let redraw = () => {}
  const screen = openTerminalScreen(() => redraw(), onMessage)
  try {
    // In its debug mode Ink writes whole frames and nothing else: what is drawn of them is the screen's to say.
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
