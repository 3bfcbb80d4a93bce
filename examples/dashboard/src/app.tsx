import type { Client } from 'dashboard-api/client'
import { useEffect, useRef } from 'react'
import { Failure } from './failure'
import { Loading } from './loading'
import { SignedIn } from './signed-in'
import { SignedOut } from './signed-out'
import { useDashboard, type View } from './use-dashboard'

export type AppProps = {
  client: Client
  /** Shows developer tools over the page. `refresh` reloads all data. Returns a function that removes them. */
  devTools?: ((refresh: () => void) => () => void) | undefined
}

export function App({ client, devTools }: AppProps) {
  const { view, actions } = useDashboard(client)
  const main = useFocusAfterChange(view)
  const { refresh } = actions
  useEffect(() => devTools?.(refresh), [devTools, refresh])

  return (
    <>
      <header className="bar">
        <p className="brand">Team dashboard</p>
        {view.name === 'signed-in' && (
          <button type="button" className="quiet" onClick={actions.signOut}>
            Sign out
          </button>
        )}
        {view.name === 'signed-out' && (
          <a className="button quiet" href={client.session.signInUrl(location.pathname)}>
            Sign in
          </a>
        )}
      </header>
      <main ref={main} tabIndex={-1}>
        {view.name === 'loading' && <Loading />}
        {view.name === 'failed' && <Failure reason={view.reason} onRetry={actions.refresh} />}
        {view.name === 'signed-out' && (
          <SignedOut
            sessionEnded={view.sessionEnded}
            signInUrl={client.session.signInUrl(location.pathname)}
            onJoin={actions.joinWaitlist}
          />
        )}
        {view.name === 'signed-in' && (
          <SignedIn session={view.session} projects={view.projects} actions={actions} />
        )}
      </main>
    </>
  )
}

/** When a view is replaced and its focused control disappears, the focus moves to the new view. */
function useFocusAfterChange(view: View) {
  const main = useRef<HTMLElement>(null)
  const before = useRef(view.name)
  useEffect(() => {
    if (before.current === view.name) return
    const isFirst = before.current === 'loading' && document.activeElement === document.body
    before.current = view.name
    if (!isFirst && document.activeElement === document.body) main.current?.focus()
  }, [view.name])
  return main
}
