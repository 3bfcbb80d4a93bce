import { useInput } from 'ink'
import { type ReactElement, useCallback } from 'react'
import { type Press, toPresses } from '../key-press.js'

type Props = { children: ReactElement; onPress(press: Press): void }

/** The one component that lives: it reads keys, and shows what it is given. */
function WithKeys({ children, onPress }: Props) {
  useInput(useCallback((input, key) => toPresses(input, key).forEach(onPress), [onPress]))
  return children
}

/** A view, and what is told of the keys that are pressed while it is shown. */
export const withKeys = (view: ReactElement, onPress: (press: Press) => void) => (
  <WithKeys onPress={onPress}>{view}</WithKeys>
)
