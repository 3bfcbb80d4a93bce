// The connection to a mock that serves this page.

async function call(method, path, input) {
  const isRead = method === 'GET'
  const fields = Object.entries(input ?? {}).filter(([, value]) => value !== undefined)
  const query = isRead && fields.length > 0 ? `?${new URLSearchParams(fields)}` : ''
  const headers = { 'content-type': 'application/json' }
  try {
    const response = await fetch(
      `/__dev/${path}${query}`,
      isRead ? {} : { method, headers, body: JSON.stringify(input ?? {}) },
    )
    const body = await response.json()
    return response.ok ? { output: body } : body
  } catch {
    return { error: 'The mock does not answer. Is it still running?' }
  }
}

export const httpConnection = {
  name: location.host,
  call,
  /** Reports requests after an id, changes of the controls, and whether the mock answers. */
  follow(since, { onRequest, onChange, onConnection }) {
    const events = new EventSource(`/__dev/log/follow?since=${since}`)
    events.addEventListener('request', ({ data }) => onRequest(JSON.parse(data)))
    events.addEventListener('change', onChange)
    events.onopen = () => onConnection(true)
    events.onerror = () => onConnection(false)
  },
  async signIn(id) {
    const { error } = await call('PUT', 'sessions/active', { id })
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser yet
    if (!error) document.cookie = 'session=active; Path=/; SameSite=Lax'
    return error
  },
  signOut: () => fetch('/auth/sign-out', { method: 'POST' }),
}
