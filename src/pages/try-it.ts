/**
 * The script of the documentation page, which sends the requests of its forms.
 * @param personas where it finds the personas of the mock; without it, the browser is who it is signed in as
 */
export const tryItScript = (personas?: string): string => `(${tryIt})(${JSON.stringify(personas) ?? ''})\n`

/** Runs in the page, as text: it uses nothing outside itself. */
function tryIt(personas?: string): void {
  const maxShown = 200_000

  function element<Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    attributes: Record<string, string> = {},
    ...children: (string | Node)[]
  ): HTMLElementTagNameMap[Name] {
    const made = document.createElement(name)
    for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
    made.append(...children)
    return made
  }

  const inputValue = (root: Element, selector: string): string | undefined =>
    root.querySelector<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>(selector)?.value

  /** Who sends: in the mock a choice of its personas, elsewhere the user who is signed in. */
  async function showCaller(form: HTMLFormElement, place: Element): Promise<void> {
    const response = personas === undefined ? undefined : await fetch(personas).catch(() => undefined)
    if (!response?.ok) {
      const link = element('a', { href: '/auth/sign-in?returnTo=/docs' }, 'Sign in')
      place.append('The request has the session cookie of this browser. ', link)
      return
    }
    const { sessions }: { sessions: { id: string; email: string }[] } = await response.json()
    const id = `${form.parentElement?.id}-caller`
    const select = element(
      'select',
      { id },
      element('option', { value: '' }, 'who this browser is signed in as'),
      element('option', { value: '-' }, 'nobody, signed out'),
      ...sessions.map((session) =>
        element('option', { value: `=${session.id}` }, `${session.id} (${session.email})`),
      ),
    )
    place.append(
      element('label', { for: id }, 'Send as'),
      select,
      element('small', {}, ' Sending signs this browser in as the persona, or out.'),
    )
  }

  /** Signs the browser in as the chosen persona of the mock, or out. */
  async function signIn(choice = ''): Promise<void> {
    if (choice === '') return
    const path = choice === '-' ? '/auth/sign-out' : '/auth/sign-in'
    const body = new URLSearchParams({ session: choice.slice(1) })
    await fetch(path, { method: 'POST', body, redirect: 'manual' })
  }

  function requestOf(form: HTMLFormElement): { path: string; init: RequestInit } {
    const { method = '', path = '' } = form.dataset
    const body = inputValue(form, 'textarea')
    const query = new URLSearchParams()
    for (const { dataset, value } of form.querySelectorAll<HTMLInputElement>('[data-query]')) {
      if (value !== '') query.set(dataset.query ?? '', value)
    }
    const ofPath = path.replace(/\{(\w+)\}/g, (_, name) =>
      encodeURIComponent(inputValue(form, `[data-path="${name}"]`) ?? ''),
    )
    return {
      path: query.size > 0 ? `${ofPath}?${query}` : ofPath,
      init: {
        method,
        ...(body !== undefined && { body, headers: { 'content-type': 'application/json' } }),
      },
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

  /** What came back: a line that screen readers announce, and the rest below it. */
  async function send(form: HTMLFormElement, signal: AbortSignal): Promise<{ line: string; rest: Node[] }> {
    await signIn(inputValue(form, 'select'))
    const { path, init } = requestOf(form)
    const start = performance.now()
    const response = await fetch(path, { ...init, signal, cache: 'no-store' })
    const text = await response.text()
    const ms = Math.round(performance.now() - start)
    const bytes = new TextEncoder().encode(text).length
    const { status, statusText, headers } = response
    const rows = [...headers].map(([name, value]) => `${name}: ${value}`)
    return {
      line: `${[status, statusText].filter(Boolean).join(' ')}, ${ms} ms, ${bytes} bytes`,
      rest: [
        element('p', { class: 'quiet' }, element('code', {}, `${init.method} ${path}`)),
        element('h4', {}, 'Body'),
        element('pre', { tabindex: '0', 'aria-label': 'Body of the response' }, readable(text)),
        element('h4', {}, 'Headers'),
        element('pre', { tabindex: '0', 'aria-label': 'Headers of the response' }, rows.join('\n')),
      ],
    }
  }

  for (const panel of document.querySelectorAll<HTMLDetailsElement>('details.try')) {
    const form = panel.querySelector('form')
    const button = panel.querySelector('button')
    const caller = panel.querySelector('.caller')
    const line = panel.querySelector('[role=status]')
    const rest = panel.querySelector('.response')
    if (!form || !button || !caller || !line || !rest) continue
    let sending: AbortController | undefined

    panel.hidden = false
    panel.addEventListener('toggle', () => void showCaller(form, caller), { once: true })
    form.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit()
    })
    form.addEventListener('submit', async (event) => {
      event.preventDefault()
      if (sending) return sending.abort()
      sending = new AbortController()
      button.textContent = 'Cancel'
      line.textContent = 'Sending…'
      rest.replaceChildren()
      try {
        const response = await send(form, sending.signal)
        line.textContent = response.line
        rest.replaceChildren(...response.rest)
      } catch (error) {
        line.textContent = sending.signal.aborted ? 'Cancelled.' : `No response: ${(error as Error).message}`
      }
      sending = undefined
      button.textContent = 'Send'
    })
  }
}
