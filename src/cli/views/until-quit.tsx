import { useApp, useInput } from 'ink'
import type { ReactElement } from 'react'

function UntilQuit({ children }: { children: ReactElement }) {
  const { exit } = useApp()
  useInput((key) => {
    if (key === 'q') exit()
  })
  return children
}

/** The same view, shown until `q` is pressed (Ink itself takes Ctrl+C). */
export const untilQuit = (view: ReactElement) => <UntilQuit>{view}</UntilQuit>
