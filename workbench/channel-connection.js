// The connection to a mock that runs in another page of this origin: the one that this page is docked to, or was
// opened from. The name of this window is that of the channel.

const timeoutMs = 10_000

export function channelConnection(name) {
  const channel = new BroadcastChannel(name)
  const waiting = new Map()
  let listeners

  channel.onmessage = ({ data: { id, event, entry, ...answer } }) => {
    if (event === undefined) waiting.get(id)?.(answer)
    else if (event === 'request') listeners?.onRequest(entry)
    else if (event === 'change') listeners?.onChange()
    else listeners?.onConnection(event === 'start', event === 'start')
  }

  const call = (method, path, input) =>
    new Promise((resolve) => {
      const id = crypto.randomUUID()
      const settle = (answer) => {
        clearTimeout(timer)
        waiting.delete(id)
        resolve(answer)
      }
      const timer = setTimeout(settle, timeoutMs, {
        error: 'The page with the mock does not answer. Is it still open?',
      })
      waiting.set(id, settle)
      channel.postMessage({ id, method, path, input })
    })

  return {
    name: 'the mock in the page',
    call,
    follow(_since, handlers) {
      listeners = handlers
      handlers.onConnection(true)
    },
    signIn: async (id) => (await call('PUT', 'sessions/active', { id })).error,
    signOut: () => call('DELETE', 'sessions/active'),
  }
}
