import { onTestFinished } from 'vitest'
import { lastResponse, openTestApp, openWire, type Wire } from '../server-harness.js'

// Requests that no fetch client sends, as bytes over loopback.

/** The app on loopback, with connections that are closed after the test. */
export async function listen() {
  const service = openTestApp({ publicUrl: undefined })
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  const url = service.app.listeningOrigin
  const wire = async (): Promise<Wire> => {
    const opened = await openWire(url)
    onTestFinished(opened.end)
    return opened
  }
  return { ...service, url, wire }
}

export const request = (line: string, headers: string[] = [], body = '') =>
  `${[`${line} HTTP/1.1`, 'host: a', ...headers].join('\r\n')}\r\n\r\n${body}`

export const hasResponses = (count: number) => (received: string) =>
  received.split('HTTP/1.1 ').length > count
export const statuses = (received: string) =>
  [...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
export const isWhole = (received: string) => {
  const { head, body } = tryResponse(received)
  return head !== undefined && body !== undefined
}
function tryResponse(received: string): { head?: string; body?: unknown } {
  try {
    return lastResponse(received)
  } catch {
    return {}
  }
}

export const post = (cookie: string, body: string) =>
  request(
    'POST /v1/projects',
    [`cookie: ${cookie}`, 'content-type: application/json', `content-length: ${Buffer.byteLength(body)}`],
    body,
  )
