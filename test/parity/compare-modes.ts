import { type AllowedDifference, allowedDifferences } from './allowed-differences.js'
import type { Modes } from './start-modes.js'
import { type Answer, createWires, type Wire } from './wires.js'

type Both = { mock: Wire; production: Wire }

/** The modes answered the same bytes differently, in a way that is not allowed. */
export class ParityError extends Error {
  override name = 'ParityError'
}

/**
 * Sends the same bytes to both modes, and compares what they answer.
 * @param allowed the differences that are allowed
 */
export function compareModes(modes: Modes, allowed: readonly AllowedDifference[] = allowedDifferences) {
  const wires = createWires()
  const needed = new Set<AllowedDifference>()
  let kept: Both | undefined
  let history: string[] = []
  let count = 0

  const open = async (): Promise<Both> => {
    const [mock, production] = await Promise.all([
      wires.open(modes.mock.url),
      wires.open(modes.production.url),
    ])
    return { mock, production }
  }
  const endKept = async () => {
    await kept?.mock.end()
    await kept?.production.end()
    kept = undefined
  }
  const reset = async () => {
    await endKept()
    await modes.reset()
    history = []
  }

  const exchange = async (bytes: Uint8Array, isRaw: boolean): Promise<Answer[]> => {
    modes.tick()
    count += 1
    const both = (isRaw ? undefined : kept) ?? (await open())
    if (!isRaw) kept = both
    const answersOf = async (wire: Wire) => {
      const answers = await wire.send(bytes)
      return isRaw ? [...answers, ...(await wire.end())] : answers
    }
    const [mock, production] = await Promise.all([answersOf(both.mock), answersOf(both.production)])
    const faults = differences(
      bytes,
      normalize(mock, modes.mock.url),
      normalize(production, modes.production.url),
      allowed,
      needed,
    )
    if (!isRaw && faults.length === 0 && production.length === 0) faults.push('there is no response')
    if (faults.length > 0) {
      const report = explain(bytes, faults, mock, production, history)
      await reset()
      throw new ParityError(report)
    }
    history.push(quoted(bytes))
    const isClosing = [...mock, ...production].some(({ headers }) => headers.connection === 'close')
    if (isClosing && !isRaw) await endKept()
    // The session of production is revoked. A persona of the mock stays.
    if (production.some(({ request, status }) => request?.startsWith('POST /auth/sign-out') && status < 400))
      await reset()
    return production
  }

  return {
    /**
     * Sends a complete request on a connection that is kept.
     * @returns the response of production
     * @throws ParityError
     */
    request: async (bytes: Uint8Array): Promise<Answer> => (await exchange(bytes, false)).at(-1) as Answer,
    /** Sends any bytes on a connection of their own. @returns the responses of production @throws ParityError */
    raw: (bytes: Uint8Array): Promise<Answer[]> => exchange(bytes, true),
    reset,
    /** How many times bytes were sent. */
    count: () => count,
    /** The allowed differences that were not needed so far. */
    unneeded: () => allowed.filter((entry) => !needed.has(entry)),
    async close() {
      await endKept()
      wires.stop()
    },
  }
}

/** The answers with one text for the address of the server, and one for each date. */
const normalize = (answers: Answer[], url: string): Answer[] =>
  answers.map(({ headers, body, ...rest }) => ({
    ...rest,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        name === 'date' && /^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/.test(value) ? 'now' : value,
      ]),
    ),
    body: body.replaceAll(url, 'http://server'),
  }))

/** The differences that are not allowed, a sentence each. The entries that allow others are added to `needed`. */
function differences(
  bytes: Uint8Array,
  mock: Answer[],
  production: Answer[],
  allowed: readonly AllowedDifference[],
  needed: Set<AllowedDifference>,
): string[] {
  const sent = Buffer.from(bytes).toString('latin1')
  const faults: string[] = []
  let request = ''
  for (let i = 0; i < Math.max(mock.length, production.length); i += 1) {
    const [ofMock, ofProduction] = [partsOf(mock[i]), partsOf(production[i])]
    // What has no request follows from the request before it, whose end was not found.
    request = production[i]?.request ?? mock[i]?.request ?? request
    const tested = `${request}\n${sent}`
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
  const { request = 'none', status, headers, body } = answer
  const { 'content-length': length, ...others } = headers
  return new Map([
    ['request', request],
    ['status', String(status)],
    ['body', body],
    // The length of a body follows from the body. Only a response to HEAD has a length without one.
    ...(length === undefined ? [] : [['content-length', body === '' ? length : 'of the body'] as const]),
    ...Object.entries(others),
  ])
}

const shown = (value: string | undefined) =>
  value === undefined ? 'absent' : JSON.stringify(value.slice(0, 300))
const quoted = (bytes: Uint8Array) => JSON.stringify(Buffer.from(bytes.subarray(0, 4000)).toString('latin1'))

const explain = (
  bytes: Uint8Array,
  faults: string[],
  mock: Answer[],
  production: Answer[],
  history: string[],
): string =>
  [
    'The modes answer differently:',
    ...faults,
    `Request: ${quoted(bytes)}`,
    `Mock: ${JSON.stringify(mock, null, 1).slice(0, 4000)}`,
    `Production: ${JSON.stringify(production, null, 1).slice(0, 4000)}`,
    `Requests since the start, a character for each byte: ${history.length === 0 ? 'none' : ''}`,
    ...history,
  ].join('\n')
