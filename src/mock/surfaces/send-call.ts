// The used parts of Node's types.
type Incoming = AsyncIterable<string> & {
  statusCode?: number
  headers: Record<string, string | string[] | undefined>
  setEncoding(encoding: 'utf8'): unknown
  destroy(): unknown
}
type Sent = { on(event: 'error', listener: (error: Error) => void): unknown; end(body: unknown): unknown }
type Http = { request(url: URL, options: object, onResponse: (incoming: Incoming) => void): Sent }
type NodeProcess = { getBuiltinModule?(name: string): unknown }

/** A call of a control. */
export type Call = { method: string; headers: Record<string, string>; body?: string; signal?: AbortSignal }

/** The response to a call. Its body is read once, or not at all. */
export type Reply = {
  status: number
  header(name: string): string | undefined
  text(): Promise<string>
  /** Yields the text of the body as it comes. */
  parts(): AsyncIterable<string>
  /** Ends the connection. */
  cancel(): void
}

/** Sends a call with `fetch`, and follows no redirect. It rejects as `fetch` does. */
export async function sendByFetch(url: URL, call: Call): Promise<Reply> {
  const response = await fetch(url, { ...call, redirect: 'manual' })
  const { status, headers, body } = response
  return {
    status,
    header: (name) => headers.get(name) ?? undefined,
    text: () => response.text(),
    parts: () => partsOf(body),
    cancel: () => void body?.cancel().catch(() => {}),
  }
}

/** Not every browser iterates over streams. */
async function* partsOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const reader = body?.getReader()
  let next = await reader?.read()
  try {
    for (; next && !next.done; next = await reader?.read()) yield decoder.decode(next.value, { stream: true })
  } finally {
    // A stream that has ended must not be cancelled: Chromium reports its request as aborted.
    if (!next?.done) await reader?.cancel().catch(() => {})
  }
}

/**
 * Sends a call to this machine: in Node by a connection of its own, which no proxy of the environment gets and which is open
 * before the first `fetch` of a process has loaded its parts; in a page with `fetch`.
 */
export function sendToThisMachine(url: URL, call: Call): Promise<Reply> {
  // Bundlers must not follow an import.
  const node = Reflect.get(globalThis, 'process') as NodeProcess | undefined
  const module = node?.getBuiltinModule?.(`node:${url.protocol.slice(0, -1)}`) as Http | undefined
  if (!module) return sendByFetch(url, call)
  const { method, signal } = call
  const body = new TextEncoder().encode(call.body)
  // Without a length, Node sends the body of a DELETE with no frame around it.
  const headers = { ...call.headers, ...(call.body !== undefined && { 'content-length': body.length }) }
  return new Promise((resolve, reject) => {
    const sent = module.request(url, { method, headers, signal, agent: false }, (incoming) => {
      incoming.setEncoding('utf8')
      const { statusCode: status = 0, headers } = incoming
      const header = (name: string) => headers[name]?.toString()
      resolve({
        ...{ status, header, parts: () => incoming, cancel: () => void incoming.destroy() },
        text: () => joined(incoming),
      })
    })
    // As `fetch` rejects.
    sent.on('error', (cause) =>
      reject(signal?.aborted ? signal.reason : new TypeError('The request failed.', { cause })),
    )
    sent.end(body)
  })
}

async function joined(parts: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const part of parts) text += part
  return text
}
