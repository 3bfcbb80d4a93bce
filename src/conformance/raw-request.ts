import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { type Received, type SentRequest, toReceived } from './target.js'

/** A whole response takes at most this time, as does the delay of a Retry-After header, and has at most this length. */
const responseLimits = { timeoutMs: 60_000, maxBytes: 256 * 1024 * 1024 }
const maxAttempts = 5

/** A service gets a few requests at a time: fewer than it allows a client. */
const limits = { keepAlive: true, maxSockets: 12 }
const agents = { http: new HttpAgent(limits), https: new HttpsAgent(limits) }

/**
 * Sends a request with path and headers exactly as given. It takes a third of the time of `fetch`.
 * @throws an error of the connection, also if the response is not whole after a minute, or does not end
 */
export function rawRequest(request: SentRequest, within = responseLimits): Promise<Received> {
  const { timeoutMs, maxBytes } = within
  const { method, url, path, headers, body, chunked } = request
  const target = new URL(url)
  const isSecure = target.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const outgoing = (isSecure ? httpsRequest : httpRequest)(target, {
      method,
      path,
      agent: isSecure ? agents.https : agents.http,
      headers: [['host', target.host], ...headers, ...lengthOf(method, body, chunked)].flat(),
    })
    let isGivenUp = false
    const giveUp = (reason: string) => {
      isGivenUp = true
      reject(new Error(reason))
      outgoing.destroy()
    }
    // A response that never ends has a socket that is never idle.
    outgoing.on('socket', () => {
      const timer = setTimeout(giveUp, timeoutMs, `no whole response in ${timeoutMs / 1000} s`)
      outgoing.on('close', () => clearTimeout(timer))
    })
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // The service has closed an idle connection at the moment of the request.
      const isClosed = !isGivenUp && outgoing.reusedSocket && error.code === 'ECONNRESET'
      if (isClosed) rawRequest(request, within).then(resolve, reject)
      else reject(error)
    })
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      let length = 0
      incoming.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > maxBytes) giveUp(`a response of more than ${maxBytes} bytes`)
        else chunks.push(chunk)
      })
      incoming.on('error', reject)
      incoming.on('end', () => {
        const received = Object.entries(incoming.headersDistinct)
        const headers = received.map(([name, values]) => [name, values?.join(', ')])
        const text = Buffer.concat(chunks).toString()
        resolve(toReceived(incoming.statusCode ?? 0, Object.fromEntries(headers), text))
      })
    })
    outgoing.end(body)
  })
}

function lengthOf(method: string, body: Uint8Array | undefined, chunked: boolean): [string, string][] {
  if (chunked) return [['transfer-encoding', 'chunked']]
  return body || !/^(GET|HEAD)$/.test(method) ? [['content-length', String(body?.length ?? 0)]] : []
}

/** Sends a request, again after the delay of Retry-After if it is rate-limited (429). */
export async function retryingRequest(request: SentRequest): Promise<Received> {
  for (let attempt = 1; ; attempt++) {
    const response = await rawRequest(request)
    const seconds = Number(response.headers['retry-after'])
    if (response.status !== 429 || !(seconds > 0) || attempt === maxAttempts) return response
    await delay(Math.min(seconds * 1000, responseLimits.timeoutMs))
  }
}
