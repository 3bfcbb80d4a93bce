import { render, useInput } from 'ink'
import { type ReactElement, useCallback } from 'react'
import { terminalSize } from '../output/output.js'
import { openAlternateScreen } from './alternate-screen.js'
import { type KeyPress, toKeyPresses } from './key-press.js'

export type Size = { width: number; height: number }

/** The content of the terminal and the functions of its keys. It is drawn again after each key. */
export type Screen = { view(size: Size): ReactElement; press(press: KeyPress): void }

/** A screen that reads keys. */
export function Live({ view, press, ...size }: Screen & Size) {
  useInput(useCallback((input, key) => toKeyPresses(input, key).forEach(press), [press]))
  return view(size)
}

/**
 * Shows a screen on the alternate screen of the terminal, and draws it again after each resize.
 * @param onMessage called with writes to stderr, which are held back
 */
export function showLive({ view, press }: Screen, onMessage: (text: string) => void = () => {}) {
  const pressAndRedraw = (key: KeyPress) => {
    press(key)
    redraw()
  }
  const frame = () => <Live view={view} press={pressAndRedraw} {...terminalSize()} />
  let redraw = () => {}
  const screen = openAlternateScreen(() => redraw(), onMessage)
  try {
    // The documented way to get each frame as an output of its own; the screen draws the lines that changed. Otherwise Ink clears
    // the terminal for each frame that fills it, also with `incrementalRendering`, and writes no frame where CI is set.
    const options = { debug: true, patchConsole: false, exitOnCtrlC: false }
    const ink = render(frame(), { stdout: screen.frames, ...options })
    redraw = () => ink.rerender(frame())
    const ended = ink.waitUntilExit().finally(screen.close)
    return {
      redraw: () => redraw(),
      /** Restores the terminal. */
      async stop() {
        redraw = () => {}
        ink.unmount()
        screen.close()
        await ended
      },
      /** Settles after `stop`; rejects if rendering fails. */
      ended,
    }
  } catch (error) {
    screen.close()
    throw error
  }
}
