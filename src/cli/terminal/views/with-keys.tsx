import { useInput } from 'ink'
import { type ReactElement, useCallback } from 'react'
import { type KeyPress, toKeyPresses } from '../key-press.js'

type Props = { children: ReactElement; onKeyPress(press: KeyPress): void }

/** The only component with an effect: it reads keys. */
function WithKeys({ children, onKeyPress }: Props) {
  useInput(useCallback((input, key) => toKeyPresses(input, key).forEach(onKeyPress), [onKeyPress]))
  return children
}

/** Adds a key listener to a view. */
export const withKeys = (view: ReactElement, onKeyPress: (press: KeyPress) => void) => (
  <WithKeys onKeyPress={onKeyPress}>{view}</WithKeys>
)
