import type { MockReply } from '../engine/mock-reply.js'
import { type LoggedExchange, maxLoggedChars, responseBody } from './logged-exchange.js'

/** A body of known length up to this is read before it is sent, unless it is a stream. The client reads others. */
const maxReadBytes = 1024 * 1024

const textType =
  /^(text\/|application\/(json|xml|javascript|x-ndjson|x-www-form-urlencoded)|application\/[\w.-]+\+(json|xml))/

type Bytes = Uint8Array<ArrayBuffer>
type BodyReader = ReadableStreamDefaultReader<Bytes>

/** The logged part of a response. The status is 0 for a network error. */
type Logged = { status: number; logged: LoggedExchange['response'] }

/** The logged part of a reply of the mock. */
export const logReply = (
  { status, headers, body }: MockReply,
  method: string,
  logsBodies: boolean,
): Logged => ({
  status,
  logged: { headers, ...(logsBodies && method !== 'HEAD' && { body: responseBody(body) }) },
})

/**
 * Copies a response's body for the log. Does not clone it: that costs more, and an unread clone keeps a stream open. A stream
 * stays one: it is read and cancelled by the client.
 * @returns the response to send, and its logged part
 */
export async function logResponse(
  response: Response,
  logsBodies: boolean,
): Promise<Logged & { sent: Response }> {
  if (response.type === 'error') return { sent: response, status: 0, logged: undefined }
  const { status } = response
  const headers: Record<string, string> = {}
  response.headers.forEach((value, name) => {
    if (name !== 'set-cookie') headers[name] = value
  })
  if (!logsBodies) return { sent: response, status, logged: { headers } }
  if (!response.body) return { sent: response, status, logged: { headers } }
  const length = Number(headers['content-length'] ?? Number.NaN)
  if (!isReadable(response)) return { sent: response, status, logged: { headers } }
  if (!isText(response)) {
    if (!Number.isNaN(length)) return { sent: response, status, logged: { headers, body: { length } } }
    const body = { length: 0 }
    const reader = (response.body as ReadableStream<Bytes>).getReader()
    return { sent: withBody(response, relay(reader, undefined, body)), status, logged: { headers, body } }
  }
  const reader = (response.body as ReadableStream<Bytes>).getReader()
  const first = length <= maxReadBytes ? reader.read() : undefined
  const { value } = (await first?.catch(() => undefined)) ?? {}
  // As bytes: a text would lose its byte order mark or encoding, and get a content type.
  if (value && value.byteLength === length) {
    // MSW waits for the end of the stream.
    reader.read().catch(() => {})
    const body = responseBody(decoder.decode(value))
    return { sent: withBody(response, value), status, logged: { headers, body } }
  }
  const body = { length: 0, text: '' }
  return { sent: withBody(response, relay(reader, first, body)), status, logged: { headers, body } }
}

const decoder = new TextDecoder()

/** Whether a body can be read. MSW makes responses of any status, and some cannot be copied. */
const isReadable = ({ status, body, bodyUsed }: Response): boolean =>
  status >= 200 && status <= 599 && !bodyUsed && !body?.locked

const isText = ({ headers }: Response): boolean =>
  textType.test(headers.get('content-type') ?? 'text/') && !headers.has('content-encoding')

// Stored before MSW replaces it by a proxy, which is slow.
const { Response: PlainResponse } = globalThis

/** Copies a response with another body of the same content. */
function withBody(response: Response, body: BodyInit): Response {
  const copy = new PlainResponse(body, response)
  copyNotes(response, copy)
  copyNotes(response.headers, copy.headers)
  return copy
}

/** Copies the properties in which MSW stores cookies and the spelling of headers. */
function copyNotes(from: object, to: object): void {
  for (const key of Reflect.ownKeys(from)) {
    const property = Object.getOwnPropertyDescriptor(from, key)
    if (property && !Object.hasOwn(to, key)) Object.defineProperty(to, key, property)
  }
}

/**
 * Relays the rest of a body as a stream. Stores its text as it is read, or counts the bytes of a body that is no text.
 * @param first the first chunk, if it is being read
 */
function relay(
  reader: BodyReader,
  first: ReturnType<BodyReader['read']> | undefined,
  stored: { length: number; text?: string },
) {
  let begun = first
  const decoder = new TextDecoder()
  const store = (value: Bytes | string, done: boolean) => {
    if (stored.text === undefined) {
      stored.length += value.length
      return
    }
    // MSW passes on texts too, which Node's clients accept.
    const text = typeof value === 'string' ? value : decoder.decode(value, { stream: !done })
    stored.length += text.length
    // A full text is not copied for each chunk.
    if (stored.length - text.length < maxLoggedChars) {
      stored.text = (stored.text + text).slice(0, maxLoggedChars)
    }
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const reading = begun ?? reader.read()
        begun = undefined
        const { done, value = new Uint8Array() } = await reading
        store(value, done)
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}
