import { type AnyHandler, HttpHandler, RequestHandler } from 'msw'
import { type AnswerRequest, requestTo } from './answer-request.js'
import type { Answer } from './forcing.js'
import type { RunArguments, RunResult } from './mock-handler.js'
import type { MockParts } from './mock-parts.js'
import { placeOfHandler, type TargetPlace } from './target-name.js'

/** Whether a value, which may come from JavaScript, is a list of handlers of MSW. */
export const areHandlers = (value: unknown): value is readonly AnyHandler[] =>
  Array.isArray(value) &&
  value.every((handler) => typeof handler === 'object' && handler && 'kind' in handler)

/** What `passthrough()` of MSW returns. */
export const isPassthrough = ({ headers }: Response): boolean =>
  headers.get('x-msw-intention') === 'passthrough'

/** Passes on what MSW calls on handlers; earlier versions of MSW do not have it. */
const callIfAny = (handler: RequestHandler, name: 'reset' | 'restore'): void =>
  Reflect.get(handler, name)?.call(handler)

/** By its class, or by the name of that of another copy of MSW, as `dev` has one: minified code has other names. */
const isHttp = (handler: RequestHandler): boolean =>
  handler.constructor === HttpHandler || handler.constructor.name === 'HttpHandler'

/** By its form too: importing its class would load the parser of GraphQL with every page. */
const isGraphQL = (handler: RequestHandler): boolean =>
  handler.constructor.name === 'GraphQLHandler' ||
  (Object.getPrototypeOf(handler.constructor) === RequestHandler && 'operationType' in handler.info)

/** A copy of a handler, whose `once` or generator is that of one mock alone. Other kinds may have private fields. */
const copyOf = (handler: RequestHandler): RequestHandler =>
  isHttp(handler) || isGraphQL(handler)
    ? Object.assign(Object.create(Object.getPrototypeOf(handler)), handler)
    : handler

/**
 * A handler of one's own with everything that the mock adds around it. Matching, resolving, `once`, generators and what
 * MSW prints are those of the handler itself.
 */
export class WrappedHandler extends RequestHandler {
  readonly place: TargetPlace
  readonly #inner: RequestHandler
  readonly #parts: MockParts
  readonly #answer: AnswerRequest
  /** The only method that it takes, if that is known. */
  readonly #method: string | undefined

  constructor(inner: RequestHandler, parts: MockParts, answer: AnswerRequest) {
    super({ info: inner.info, resolver: () => undefined })
    this.info = inner.info
    this.place = placeOfHandler(inner, parts.origins)
    this.#inner = copyOf(inner)
    this.#parts = parts
    this.#answer = answer
    this.#method = isHttp(inner) && /^[A-Z]+$/.test(this.place.method) ? this.place.method : undefined
  }

  override async run(args: RunArguments): RunResult {
    const { request, requestId } = args
    // MSW compares the method last, after it has parsed the URL, the path and the cookies.
    if (this.#method !== undefined && this.#method !== 'ALL' && this.#method !== request.method) return null
    let result: Awaited<RunResult> = null
    const run = async (): Promise<Answer | undefined> => {
      try {
        result = await this.#inner.run(args)
      } finally {
        this.isUsed = this.#inner.isUsed
      }
      if (!result?.response) return undefined
      if (!isPassthrough(result.response)) return { why: 'handler', response: result.response }
      // Of a server, the mock itself answers and logs it then.
      return this.#parts.isServed ? undefined : { why: 'passthrough' }
    }
    const given = requestTo(this.place, request, this.#parts)
    const response = await this.#answer(given, run, () => this.#inner.test(args))
    if (response === undefined) return result
    return Object.assign(result ?? { handler: this, request, requestId }, { response })
  }

  override parse(args: Parameters<RequestHandler['parse']>[0]) {
    return this.#inner.parse(args)
  }

  override predicate(args: Parameters<RequestHandler['predicate']>[0]) {
    return this.#inner.predicate(args)
  }

  override log(args: Parameters<RequestHandler['log']>[0]) {
    return this.#inner.log(args)
  }

  /** Makes the handler as it was at the start. */
  restart(): void {
    this.reset()
    this.restore()
  }

  /** Lets `once` handlers answer again, and generators begin anew. MSW calls both on its handlers. */
  override reset(): void {
    callIfAny(this.#inner, 'reset')
  }

  override restore(): void {
    callIfAny(this.#inner, 'restore')
    this.isUsed = this.#inner.isUsed
  }
}
