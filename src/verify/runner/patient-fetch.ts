/** The longest that an answer may take, and that a Retry-After is waited for; in milliseconds. */
const patience = 60_000
const tries = 5

/** `fetch` that waits where the service says that it is asked too often, and gives up on an answer in the end. */
export const patientFetch: typeof fetch = async (input, init) => {
  for (let left = tries; ; left--) {
    const response = await fetch(input, { ...init, signal: AbortSignal.timeout(patience) })
    const seconds = Number(response.headers.get('retry-after'))
    // A stream cannot be sent twice.
    const canRepeat = !(init?.body instanceof ReadableStream)
    if (response.status !== 429 || !(seconds > 0) || !canRepeat || left === 1) return response
    await response.body?.cancel()
    await new Promise((resolve) => setTimeout(resolve, Math.min(seconds * 1000, patience)))
  }
}
