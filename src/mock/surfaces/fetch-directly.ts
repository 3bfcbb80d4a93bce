// The used parts of Node's types.
type Incoming = {
  statusCode?: number
  headers: Record<string, string | string[] | undefined>
  on(event: string, listener: (value: never) => void): unknown
  destroy(): unknown
}
type Sent = { on(event: 'error', listener: (error: Error) => void): unknown; end(body: unknown): unknown }
type Http = {
  Agent: new () => object
  request(url: URL, options: object, onResponse: (incoming: Incoming) => void): Sent
}
type NodeProcess = {
  env: Record<string, string | undefined>
  execArgv: string[]
  getBuiltinModule?(name: string): unknown
}
/** Undefined in a page. Bundlers must not follow an import. */
const node = Reflect.get(globalThis, 'process') as NodeProcess | undefined

/** Whether `fetch` uses the proxy of the environment, as Node can from version 24. */
const usesProxy = ({ env, execArgv }: NodeProcess): boolean =>
  env.NODE_USE_ENV_PROXY === '1' ||
  [...execArgv, ...(env.NODE_OPTIONS ?? '').split(/\s+/)].includes('--use-env-proxy')

/** `fetch` of this machine. No proxy of the environment can reach it. */
export function fetchDirectly(url: URL, init: RequestInit): Promise<Response> {
  const module =
    node && usesProxy(node) ? node.getBuiltinModule?.(`node:${url.protocol.slice(0, -1)}`) : undefined
  if (!module) return fetch(url, init)
  const { Agent, request } = module as Http
  const { method, headers, body, signal } = init
  return new Promise((resolve, reject) => {
    const options = { method, headers, signal: signal ?? undefined, agent: new Agent() }
    const sent = request(url, options, (incoming) => resolve(toResponse(incoming)))
    // Rejects as `fetch` does.
    sent.on('error', (cause) =>
      reject(signal?.aborted ? signal.reason : new TypeError('fetch failed', { cause })),
    )
    sent.end(body)
  })
}

function toResponse(incoming: Incoming): Response {
  const { statusCode: status = 0, headers } = incoming
  const values = Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string])
  const hasNoBody = status === 204 || status === 304
  return new Response(hasNoBody ? null : streamOf(incoming), { status, headers: values })
}

const streamOf = (incoming: Incoming): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      incoming.on('data', (chunk: Uint8Array) => controller.enqueue(new Uint8Array(chunk)))
      incoming.on('end', () => controller.close())
      incoming.on('error', (error: Error) => controller.error(error))
    },
    cancel: () => void incoming.destroy(),
  })
