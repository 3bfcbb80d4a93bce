import type { SetupWorker } from 'msw/browser'

const advice = 'Start one only: put the handlers of createMock() among its own.'

/**
 * Starts a worker, and warns if the page has another one: only the last that was started answers.
 * @returns functions that end the observation, and tell whether another worker answers instead
 */
export async function startAndWarnOfOthers(
  worker: SetupWorker,
  start: () => Promise<void>,
): Promise<{ end(): void; isReplaced(): boolean }> {
  const ended = new AbortController()
  const { signal } = ended
  /** The requests that this worker began to answer. Messages about them have other ids. */
  const begun: string[] = []
  let isFirst = false
  let isReplaced = false

  navigator.serviceWorker?.addEventListener(
    'message',
    ({ data }) => {
      // MSW's script confirms only the first worker of a page.
      if (data?.type === 'MOCKING_ENABLED') isFirst = true
      if (data?.type !== 'REQUEST') return
      setTimeout(() => {
        const index = begun.indexOf(`${data.payload.method} ${data.payload.url}`)
        if (index >= 0) begun.splice(index, 1)
        if (index >= 0 || signal.aborted) return
        ended.abort()
        isReplaced = true
        console.warn(`Another worker of MSW was started after this mock, and answers in its place. ${advice}`)
      }, 200)
    },
    { signal },
  )
  worker.events.on('request:start', ({ request }) => void begun.push(`${request.method} ${request.url}`))
  await start()
  // MSW's own listener may hear of the confirmation first and resolve `start`: wait for one more task.
  setTimeout(() => {
    // Over http at a name other than localhost there are no workers: MSW replaces fetch and XMLHttpRequest there.
    if (!isFirst && navigator.serviceWorker)
      console.warn(`This mock answers in place of another worker of MSW. ${advice}`)
  })
  return { end: () => ended.abort(), isReplaced: () => isReplaced }
}
