import { type LoggedExchange, maxLoggedChars, responseBody } from './logged-exchange.js'
import { textOf } from './mock-handler.js'

/** A body of known length up to this is read before it is sent, if it is no stream. Others pass as the client reads them. */
const maxReadBytes = 1024 * 1024

const isText =
  /^(text\/|application\/(json|xml|javascript|x-ndjson|x-www-form-urlencoded)|application\/[\w.-]+\+(json|xml))/

type BodyReader = ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>

/** A body that is being read: all of its bytes, if they came at once, or the first chunk of a stream, if it was begun. */
type BegunBody = {
  reader: BodyReader
  first?: ReturnType<BodyReader['read']>
  bytes?: Uint8Array<ArrayBuffer>
}

/** Begins to read the body of a response before it is sent, if the log has such bodies. A stream stays one. */
export function beginBody(response: Response): BegunBody | Promise<BegunBody> | undefined {
  if (textOf(response) !== undefined || !hasLoggedBody(response)) return undefined
  const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader()
  const length = Number(response.headers.get('content-length') ?? Number.NaN)
  return length <= maxReadBytes ? readFirst(reader, length) : { reader }
}

async function readFirst(reader: BodyReader, length: number): Promise<BegunBody> {
  const first = reader.read()
  const { value = new Uint8Array() } = await first.catch(() => ({ value: undefined }))
  if (value.byteLength !== length) return { reader, first }
  // MSW waits for its end.
  reader.read().catch(() => {})
  return { reader, bytes: value }
}

/** Whether the log can have the text of a body. MSW makes responses of any status, of some of which no copy can be made. */
const hasLoggedBody = ({ status, headers, body, bodyUsed, type }: Response): boolean =>
  type !== 'error' &&
  status >= 200 &&
  status <= 599 &&
  !bodyUsed &&
  body !== null &&
  !body.locked &&
  isText.test(headers.get('content-type') ?? 'text/') &&
  !headers.has('content-encoding')

/**
 * Takes a copy of a response's body for the log, without cloning it: that costs more, and a clone that nobody reads
 * keeps a stream open. A stream stays one: it is read when the client reads, and cancelled when the client cancels.
 * @param begun what `beginBody` has read
 * @param onEnd called when a stream has ended, which the log has in part until then
 * @returns the response to send, and what the log has of it; the status is 0 for none and for a network error
 */
export function logResponse(
  response: Response | undefined,
  begun: BegunBody | undefined,
  logsBodies: boolean,
  onEnd: () => void,
): { sent?: Response; status: number; logged?: LoggedExchange['response'] } {
  if (!response || response.type === 'error') return { sent: response, status: 0 }
  const { status } = response
  const headers: Record<string, string> = {}
  response.headers.forEach((value, name) => {
    if (name !== 'set-cookie') headers[name] = value
  })
  const made = textOf(response)
  if (!logsBodies) return { sent: response, status, logged: { headers } }
  if (made !== undefined) return { sent: response, status, logged: { headers, body: responseBody(made) } }
  if (begun?.bytes) {
    const body = responseBody(decoder.decode(begun.bytes))
    return { sent: withBody(response, begun.bytes), status, logged: { headers, body } }
  }
  if (begun) {
    const body = { length: 0, text: '' }
    const stream = relay(begun, body, onEnd)
    return { sent: withBody(response, stream), status, logged: { headers, body } }
  }
  if (!response.body) return { sent: response, status, logged: { headers } }
  const length = Number(headers['content-length'] ?? Number.NaN)
  if (!Number.isNaN(length)) return { sent: response, status, logged: { headers, body: { length } } }
  if (response.bodyUsed || response.body.locked || status < 200 || status > 599)
    return { sent: response, status, logged: { headers } }
  const body = { length: 0 }
  const stream = counted(response.body as ReadableStream<Uint8Array<ArrayBuffer>>, body, onEnd)
  return { sent: withBody(response, stream), status, logged: { headers, body } }
}

const decoder = new TextDecoder()

// Taken before MSW replaces it by a proxy, which costs as much as the response.
const { Response: PlainResponse } = globalThis

/** The same response with another body of the same content. */
function withBody(response: Response, body: BodyInit): Response {
  const copy = new PlainResponse(body, response)
  copyNotes(response, copy)
  copyNotes(response.headers, copy.headers)
  return copy
}

/** Copies what MSW notes as properties of an object: the cookies of a response, and how its headers are spelt. */
function copyNotes(from: object, to: object): void {
  for (const key of Reflect.ownKeys(from)) {
    const property = Object.getOwnPropertyDescriptor(from, key)
    if (property && !Object.hasOwn(to, key)) Object.defineProperty(to, key, property)
  }
}

/** The same stream. Counts its bytes, of which the log has no more, as the client reads them. */
function counted(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  stored: { length: number },
  onEnd: () => void,
) {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch((error) => {
          onEnd()
          throw error
        })
        if (!done) {
          // MSW passes on what is not bytes: Node's own clients take text.
          stored.length += value.byteLength ?? String(value).length
          return controller.enqueue(value)
        }
        onEnd()
        controller.close()
      },
      async cancel(reason) {
        onEnd()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

function relay({ reader, first }: BegunBody, stored: { length: number; text: string }, onEnd: () => void) {
  let begun = first
  const decoder = new TextDecoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const reading = begun ?? reader.read()
        begun = undefined
        const { done, value } = await reading.catch((error) => {
          onEnd()
          throw error
        })
        // MSW passes on what is not bytes: Node's own clients take text.
        const text = typeof value === 'string' ? value : decoder.decode(value, { stream: !done })
        stored.length += text.length
        // What is full is not copied for each chunk.
        if (stored.length - text.length < maxLoggedChars) {
          stored.text = (stored.text + text).slice(0, maxLoggedChars)
        }
        if (!done) return controller.enqueue(value)
        onEnd()
        controller.close()
      },
      async cancel(reason) {
        onEnd()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
