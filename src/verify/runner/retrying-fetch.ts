/** The time-out of a response, and the longest delay that a Retry-After header is followed; in milliseconds. */
const timeoutMs = 60_000
const maxAttempts = 5

/** `fetch` with a time-out that retries rate-limited requests (429) after the delay of their Retry-After header. */
export const retryingFetch: typeof fetch = async (input, init) => {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) })
    const seconds = Number(response.headers.get('retry-after'))
    // A stream cannot be sent twice.
    const canRepeat = !(init?.body instanceof ReadableStream)
    if (response.status !== 429 || !(seconds > 0) || !canRepeat || attempt === maxAttempts) return response
    await response.body?.cancel()
    await new Promise((resolve) => setTimeout(resolve, Math.min(seconds * 1000, timeoutMs)))
  }
}
