import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { ReceivedResponse } from '../cases/case.js'
import { type ResolvedRequest, toResponse } from './target.js'

const agents = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) }

/** Sends a request with path and headers exactly as given. */
export function rawRequest(request: ResolvedRequest): Promise<ReceivedResponse> {
  const { method, url, path, headers, body, chunked } = request
  const { protocol, hostname, port, host } = new URL(url)
  const length: [string, string][] = chunked
    ? [['transfer-encoding', 'chunked']]
    : [['content-length', String(body?.length ?? 0)]]
  return new Promise((resolve, reject) => {
    const outgoing = (protocol === 'https:' ? httpsRequest : httpRequest)({
      method,
      hostname,
      port,
      path,
      agent: agents[protocol === 'https:' ? 'https' : 'http'],
      headers: [['host', host], ...headers, ...length].flat(),
    })
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () => {
        const received = Object.entries(incoming.headersDistinct).map(([name, values]): [string, string] => [
          name,
          values?.join(', ') ?? '',
        ])
        const text = Buffer.concat(chunks).toString()
        resolve(toResponse(incoming.statusCode ?? 0, Object.fromEntries(received), text))
      })
    })
    outgoing.end(body)
  })
}
