import type { NodeRequest } from './node-types.js'

/** The longest body for a user's handler, in bytes. */
export const maxHandlerBytes = 64 * 1024 * 1024

/** A body cannot be read. */
export class BodyError extends Error {
  override name = 'BodyError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export type NodeBody = ReturnType<typeof createBody>

const bodies = new WeakMap<NodeRequest, NodeBody>()

/**
 * The body of a request to a Node server. It is read on demand. A later call for the same request knows the bytes that were
 * put back.
 */
export function bodyOf(incoming: NodeRequest): NodeBody {
  const body = bodies.get(incoming) ?? createBody(incoming)
  bodies.set(incoming, body)
  return body
}

function createBody(incoming: NodeRequest) {
  let whole: Uint8Array<ArrayBuffer> | undefined
  let reading: Promise<Uint8Array<ArrayBuffer>> | undefined
  let fault: BodyError | undefined

  const read = async (limit: number, putsBack: boolean): Promise<Uint8Array<ArrayBuffer>> => {
    whole = hasBeenRead(incoming) ? parsedBody(incoming) : await readAll(incoming, limit, putsBack)
    return whole
  }

  return {
    /** The bytes that were read. */
    whole: () => whole,
    fault: () => fault,
    /** Reads the body of a request that the mock answers. @throws BodyError */
    take(limit: number): Promise<Uint8Array<ArrayBuffer>> {
      reading ??= read(limit, false)
      return reading
    },
    /** Reads the body, and puts it back for others. @throws BodyError; the bytes that were read are put back too */
    async borrow(limit: number): Promise<Uint8Array<ArrayBuffer>> {
      reading ??= read(limit, true)
      try {
        return await reading
      } catch (error) {
        if (error instanceof BodyError) fault = error
        throw error
      }
    },
  }
}

/** Whether a middleware before the mock, such as express.json(), has read the body. */
const hasBeenRead = ({ readableDidRead, readableEnded }: NodeRequest): boolean =>
  readableDidRead === true || readableEnded === true

/** The body that a middleware has put into `request.body`. */
function parsedBody(incoming: NodeRequest): Uint8Array<ArrayBuffer> {
  const { headers, body } = incoming as NodeRequest & { body?: unknown }
  if (body instanceof Uint8Array) return new Uint8Array(body)
  if (typeof body === 'string') return encode(body)
  const type = headers['content-type'] ?? ''
  if (body !== undefined && /^application\/([\w.-]+\+)?json/i.test(type)) return encode(JSON.stringify(body))
  if (isFlat(body) && /^application\/x-www-form-urlencoded/i.test(type)) {
    const pairs = Object.entries(body).flatMap(([name, values]) =>
      [values].flat().map((value) => [name, value]),
    )
    return encode(String(new URLSearchParams(pairs)))
  }
  if (headers['transfer-encoding'] === undefined && !Number(headers['content-length'])) return encode('')
  throw new BodyError(
    500,
    'Another middleware has read the body of this request, and request.body does not have it as JSON, a form, text or ' +
      'bytes. Put the mock before that middleware.',
  )
}

/** Whether a form has texts alone; a name that was sent again has a list of them. */
const isFlat = (body: unknown): body is Record<string, string | string[]> =>
  typeof body === 'object' &&
  body !== null &&
  Object.values(body).every((value) => [value].flat().every((each) => typeof each === 'string'))

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

/** @param putsBack put the bytes back for other readers, before the end is announced */
const readAll = (incoming: NodeRequest, limit: number, putsBack: boolean): Promise<Uint8Array<ArrayBuffer>> =>
  new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const settle = (error?: Error) => {
      incoming.off('readable', onReadable).off('end', onEnd).off('error', settle).off('close', onClose)
      const bytes = Buffer.concat(chunks)
      // A copy: streams detach their buffers, and small ones share memory with Node's.
      if (putsBack && length > 0 && !incoming.readableEnded) incoming.unshift(Buffer.from(bytes))
      if (error) reject(error)
      else resolve(new Uint8Array(bytes))
    }
    const onReadable = () => {
      for (let chunk = incoming.read(); chunk !== null; chunk = incoming.read()) {
        chunks.push(chunk)
        length += chunk.length
        if (length > limit) return settle(new BodyError(413, tooLong(limit)))
      }
      if (isComplete(incoming)) settle()
    }
    // Over HTTP/2 a disconnected client's request ends like a complete one, and closes right after.
    const onEnd = () => ('stream' in incoming ? setImmediate(settle) : settle())
    const onClose = () => settle(new Error('The connection closed before the request was read.'))
    incoming.on('readable', onReadable).on('end', onEnd).on('error', settle).on('close', onClose)
  })

const tooLong = (limit: number): string =>
  `The body is longer than ${limit / 1024 / 1024} MiB, the most that the mock reads for a handler.`

/** Whether the whole request has arrived. Over HTTP/2 its stream tells. */
function isComplete(incoming: NodeRequest): boolean {
  if (incoming.aborted) return false
  return incoming.stream ? incoming.stream.readableEnded : incoming.complete
}
