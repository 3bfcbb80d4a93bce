import type { BrowserMock } from 'dashboard-api/browser'
import { useEffect, useState } from 'react'
import './persona-switch.css'

type PersonaSwitchProps = { mock: BrowserMock; onChange(): void }

/** For developers: selects the persona while the mock runs in the page. */
export function PersonaSwitch({ mock, onChange }: PersonaSwitchProps) {
  const [personas, setPersonas] = useState<string[]>([])
  useEffect(() => {
    void mock.session.list().then((list) => setPersonas(list.map(({ id }) => id)))
  }, [mock])

  const choose = async (id: string) => {
    if (id === '') mock.session.signOut()
    else await mock.session.use(id)
    onChange()
  }
  const reset = async () => {
    await mock.reset()
    onChange()
  }

  const current = currentPersona()
  return (
    <aside className="mock" aria-label="Mock">
      <label htmlFor="persona">Persona</label>
      <select id="persona" value={current} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">signed out</option>
        {[...new Set([...personas, current])].filter(Boolean).map((id) => (
          <option key={id}>{id}</option>
        ))}
      </select>
      <button type="button" className="quiet" onClick={reset}>
        Reset
      </button>
    </aside>
  )
}

/** The mock's session cookie is the name of a persona, or `active` for the active persona. */
const currentPersona = (): string => /(?:^|;\s*)session=([^;]*)/.exec(document.cookie)?.[1] ?? ''
