import { connect } from 'node:net'
import { type AllowedDifference, allowedDifferences } from './allowed-differences.js'
import type { Modes } from './start-modes.js'

/** A received response. */
export type Answer = {
  status: number
  /** By lower-case name, sorted; the values of a repeated header are joined by a line break. */
  headers: Record<string, string>
  /** One character for each byte. */
  body: string
}

/** The modes answered the same bytes with a difference that is not allowed. */
export class ParityError extends Error {
  override name = 'ParityError'
}

/**
 * Sends the same bytes to both modes, on new connections, and compares the responses.
 * @param allowed the allowed differences
 */
export function compareModes(modes: Modes, allowed: readonly AllowedDifference[] = allowedDifferences) {
  const needed = new Set<AllowedDifference>()
  let count = 0

  const compare = async (bytes: Uint8Array, isComplete: boolean): Promise<Answer[]> => {
    modes.tick()
    count += 1
    const [mock, production] = await Promise.all([
      exchange(modes.mock.url, bytes, isComplete ? undefined : 'nothing'),
      exchange(modes.production.url, bytes, isComplete ? undefined : 'response'),
    ])
    const sent = Buffer.from(bytes).toString('latin1')
    const request = `${/^\w+ \S*/.exec(sent)?.[0] ?? ''}${isComplete ? '' : ' (not complete)'}`
    const faults = differences(`${request}\n${sent}`, mock, production, allowed, needed)
    if (faults.length > 0)
      throw new ParityError(
        [
          'The modes answer differently:',
          ...faults,
          `Request: ${JSON.stringify(sent.slice(0, 4000))}`,
          `Mock: ${JSON.stringify(mock, null, 1).slice(0, 4000)}`,
          `Production: ${JSON.stringify(production, null, 1).slice(0, 4000)}`,
        ].join('\n'),
      )
    // Production revokes the session; a persona of the mock stays.
    if (request.startsWith('POST /auth/sign-out') && production.some(({ status }) => status < 400))
      await modes.reset()
    return production
  }

  return {
    /** Sends bytes after whose responses the server closes the connection. @returns the responses @throws ParityError */
    send: (bytes: Uint8Array) => compare(bytes, true),
    /** Sends the beginning of a request, and ends the connection. @throws ParityError */
    begin: (bytes: Uint8Array) => compare(bytes, false),
    reset: () => modes.reset(),
    /** The number of times that bytes were sent. */
    count: () => count,
    /** The allowed differences that no request has needed so far. */
    unneeded: () => allowed.filter((entry) => !needed.has(entry)),
  }
}

/**
 * Sends bytes, and reads until the server has closed the connection.
 * @param endsAfter the time after which the client ends the connection; by default never
 */
function exchange(url: string, bytes: Uint8Array, endsAfter?: 'nothing' | 'response'): Promise<Answer[]> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  let received = ''
  socket.setEncoding('latin1').on('data', (text) => {
    received += text
    if (endsAfter === 'response') socket.end()
  })
  // A reset ends the connection, too. The data received before counts.
  socket.on('error', () => {})
  socket.write(bytes)
  if (endsAfter === 'nothing') socket.end()
  const isHead = Buffer.from(bytes.subarray(0, 5)).toString() === 'HEAD '
  return new Promise((resolve) =>
    socket.once('close', () => resolve(answersIn(received.replaceAll(url, 'http://server'), isHead))),
  )
}

function answersIn(received: string, isHead: boolean): Answer[] {
  if (received === '') return []
  const end = received.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = received.slice(0, Math.max(end, 0)).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1] ?? 0)
  if (status === 0) return [{ status, headers: {}, body: received }]
  const headers: Record<string, string> = {}
  for (const line of lines.sort()) {
    const [, name = '', value = ''] = /^([^:]*): *(.*)$/.exec(line) ?? []
    const key = name.toLowerCase()
    headers[key] = headers[key] === undefined ? value : `${headers[key]}\n${value}`
  }
  const length = isHead || status < 200 || status === 204 ? 0 : Number(headers['content-length'])
  const rest = received.slice(end + 4)
  return [{ status, headers, body: rest.slice(0, length) }, ...answersIn(rest.slice(length), isHead)]
}

/** The differences that are not allowed, as sentences. Entries that allow others are added to `needed`. */
function differences(
  tested: string,
  mock: Answer[],
  production: Answer[],
  allowed: readonly AllowedDifference[],
  needed: Set<AllowedDifference>,
): string[] {
  const faults: string[] = []
  for (let i = 0; i < Math.max(mock.length, production.length, 1); i += 1) {
    const [ofMock, ofProduction] = [partsOf(mock[i]), partsOf(production[i])]
    for (const part of new Set([...ofMock.keys(), ...ofProduction.keys()])) {
      const [left, right] = [ofMock.get(part), ofProduction.get(part)]
      if (left === right) continue
      const entry = allowed.find(
        ({ requests, parts, allows }) =>
          (requests?.test(tested) ?? true) &&
          (parts?.includes(part) ?? true) &&
          (allows?.(left, right) ?? true),
      )
      if (entry) needed.add(entry)
      else
        faults.push(`response ${i + 1}, ${part}: ${shown(left)} in the mock, ${shown(right)} in production`)
    }
  }
  return faults
}

function partsOf(answer: Answer | undefined): Map<string, string> {
  if (!answer) return new Map([['response', 'none']])
  const { status, headers, body } = answer
  const { 'content-length': length, date = '', ...others } = headers
  return new Map([
    ['status', String(status)],
    ['body', body],
    // Only a response to HEAD has a length without a body; other lengths follow from the body.
    ...(length === undefined ? [] : [['content-length', body === '' ? length : 'of the body'] as const]),
    ['date', /^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/.test(date) ? 'now' : date],
    ...Object.entries(others),
  ])
}

const shown = (value: string | undefined) =>
  value === undefined ? 'absent' : JSON.stringify(value.slice(0, 300))
