/**
 * The script of the documentation page, which sends the requests of its forms.
 * @param personas where it finds the personas of the mock; without it, the browser is who it is signed in as
 */
export const tryItScript = (personas?: string): string => `(${tryIt})(${JSON.stringify(personas) ?? ''})\n`

/** Runs in the page, as text: it uses nothing outside itself. */
function tryIt(personas?: string): void {
  const maxShown = 200_000

  /** Who sends: in the mock a choice of its personas, elsewhere the user who is signed in. */
  async function showCaller(place: Element): Promise<void> {
    const response = personas === undefined ? undefined : await fetch(personas).catch(() => undefined)
    if (!response?.ok) {
      place.innerHTML =
        'The request has the session cookie of this browser. <a href="/auth/sign-in?returnTo=/docs">Sign in</a>'
      return
    }
    const { sessions }: { sessions: { id: string; email: string }[] } = await response.json()
    place.innerHTML = `Send as <select name="caller" aria-label="Send as">
      <option value="">who this browser is signed in as</option><option value="-">nobody, signed out</option></select>
      <small>Sending signs this browser in as the persona, or out.</small>`
    for (const { id, email } of sessions) {
      place.querySelector('select')?.add(new Option(`${id} (${email})`, `=${id}`))
    }
  }

  /** Signs the browser in as the chosen persona of the mock, or out. */
  async function signIn(caller: string): Promise<void> {
    const body = new URLSearchParams({ session: caller.slice(1) })
    await fetch(caller === '-' ? '/auth/sign-out' : '/auth/sign-in', {
      method: 'POST',
      body,
      redirect: 'manual',
    })
  }

  /** The request of a form: its fields are the caller, the body, and the parameters by place and name. */
  function requestOf(form: HTMLFormElement): { path: string; init: RequestInit; caller?: string } {
    const { caller, body, ...fields } = Object.fromEntries(new FormData(form)) as Record<string, string>
    const { method, path = '' } = form.dataset
    // A parameter of the query that is left empty is left out.
    const query = new URLSearchParams()
    for (const [field, value] of Object.entries(fields)) {
      if (field.startsWith('query.') && value !== '') query.set(field.slice('query.'.length), value)
    }
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(fields[`path.${name}`] ?? ''))
    const headers = { 'content-type': 'application/json' }
    return {
      path: query.size > 0 ? `${filled}?${query}` : filled,
      init: { method, cache: 'no-store', ...(body !== undefined && { body, headers }) },
      caller,
    }
  }

  /** JSON with indentation, any other text as it is; of a long one the beginning. */
  function readable(text: string): string {
    let shown = text
    try {
      shown = JSON.stringify(JSON.parse(text), null, 2)
    } catch {
      // Not JSON.
    }
    const rest = shown.length - maxShown
    return rest > 0 ? `${shown.slice(0, maxShown)}\n… ${rest} more characters` : shown
  }

  for (const panel of document.querySelectorAll<HTMLDetailsElement>('details.try')) {
    const part = (selector: string) => panel.querySelector(selector) as HTMLElement
    const [form, button, status] = [part('form') as HTMLFormElement, part('button'), part('[role=status]')]
    const [sent, body, headers] = [part('.response code'), part('.body'), part('.headers')]
    let sending: AbortController | undefined

    async function send(signal: AbortSignal): Promise<void> {
      const { path, init, caller } = requestOf(form)
      if (caller) await signIn(caller)
      const start = performance.now()
      const response = await fetch(path, { ...init, signal })
      const text = await response.text()
      const ms = Math.round(performance.now() - start)
      const line = [response.status, response.statusText].filter(Boolean).join(' ')
      sent.textContent = `${init.method} ${path}`
      body.textContent = readable(text)
      headers.textContent = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
      part('.response').hidden = false
      // Last: screen readers announce it.
      status.textContent = `${line}, ${ms} ms, ${new TextEncoder().encode(text).length} bytes`
    }

    panel.hidden = false
    panel.addEventListener('toggle', () => void showCaller(part('.caller')), { once: true })
    form.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit()
    })
    form.addEventListener('submit', async (event) => {
      event.preventDefault()
      if (sending) return sending.abort()
      sending = new AbortController()
      const { signal } = sending
      button.textContent = 'Cancel'
      status.textContent = 'Sending…'
      part('.response').hidden = true
      await send(signal).catch((error) => {
        status.textContent = signal.aborted ? 'Cancelled.' : `No response: ${(error as Error).message}`
      })
      sending = undefined
      button.textContent = 'Send'
    })
  }
}
