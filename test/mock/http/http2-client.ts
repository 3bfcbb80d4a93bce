import { once } from 'node:events'
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type Http2SecureServer,
  type Http2Server,
  type OutgoingHttpHeaders,
  type SecureClientSessionOptions,
} from 'node:http2'
import type { AddressInfo, Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export const json = { 'content-type': 'application/json' }

/** A pre-shared key instead of a certificate, which Node cannot create. */
const cipher = { ciphers: 'PSK-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' } as const
const key = Buffer.alloc(16)

export const tlsServer = { ...cipher, pskCallback: () => key }
export const tlsClient = {
  ...cipher,
  pskCallback: () => ({ psk: key, identity: 'page' }),
  checkServerIdentity: () => undefined,
} satisfies SecureClientSessionOptions

export const portOf = (server: Pick<Server, 'address'>) => (server.address() as AddressInfo).port

/** Starts a server for the test. Returns its URL. */
export async function listen(server: Http2Server | Http2SecureServer): Promise<string> {
  onTestFinished(() => void server.close())
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${portOf(server)}`
}

/** Opens one connection for all requests of the test. */
export function connectTo(url: string) {
  const session: ClientHttp2Session = connect(url, tlsClient)
  onTestFinished(() => session.destroy())
  const open = (method: string, path: string, headers: OutgoingHttpHeaders = {}): ClientHttp2Stream =>
    session.request({ ':method': method, ':path': path, ...headers }, { endStream: false })
  const send = async (method: string, path: string, headers: OutgoingHttpHeaders = {}, body = '') => {
    const stream = open(method, path, headers).end(body)
    const [responseHeaders] = await once(stream, 'response')
    return { status: responseHeaders[':status'], headers: responseHeaders, text: await text(stream) }
  }
  const control = async (method: string, path: string, body?: object) =>
    JSON.parse((await send(method, `/__dev/${path}`, json, body && JSON.stringify(body))).text)
  return { session, open, send, control }
}

/** Reads a stream until it contains a text. */
export const readUntil = (stream: ClientHttp2Stream, expected: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let read = ''
    stream.setEncoding('utf8').on('data', (part) => {
      read += part
      if (read.includes(expected)) resolve(read)
    })
    stream.once('close', () => reject(new Error(`ended after ${read}`)))
  })
