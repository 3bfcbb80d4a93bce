import { type AnyHandler, RequestHandler } from 'msw'
import type { TargetPlace } from './target-name.js'

export type RunArguments = Parameters<RequestHandler['run']>[0]
export type RunResult = ReturnType<RequestHandler['run']>

/** Whether a value, which may come from JavaScript, is a list of handlers of MSW. */
export const areHandlers = (value: unknown): value is readonly AnyHandler[] =>
  Array.isArray(value) &&
  value.every((handler) => typeof handler === 'object' && handler && 'kind' in handler)

/** Runs what a handler wraps, or answers in its place. */
export type RunHandler = (
  wrapped: Pick<WrappedHandler, 'place' | 'isUsed'> & {
    inner: Pick<RequestHandler, 'test' | 'run' | 'isUsed'>
  },
  handler: RequestHandler,
  args: RunArguments,
) => RunResult

/** Passes on what MSW calls on handlers; earlier versions of MSW do not have it. */
const callIfAny = (handler: RequestHandler, name: 'reset' | 'restore'): void =>
  Reflect.get(handler, name)?.call(handler)

/**
 * A handler of one's own with everything that the mock adds around it. Matching, resolving, `once`, generators and what
 * MSW prints are those of the handler itself.
 */
export class WrappedHandler extends RequestHandler {
  readonly place: TargetPlace
  readonly inner: RequestHandler
  readonly #run: RunHandler

  constructor(inner: RequestHandler, place: TargetPlace, run: RunHandler) {
    super({ info: inner.info, resolver: () => undefined })
    this.info = inner.info
    this.place = place
    this.inner = inner
    this.#run = run
  }

  override run(args: RunArguments): RunResult {
    return this.#run(this, this, args)
  }

  override parse(args: Parameters<RequestHandler['parse']>[0]) {
    return this.inner.parse(args)
  }

  override predicate(args: Parameters<RequestHandler['predicate']>[0]) {
    return this.inner.predicate(args)
  }

  override log(args: Parameters<RequestHandler['log']>[0]) {
    return this.inner.log(args)
  }

  /** Makes the handler as it was at the start. */
  restart(): void {
    this.reset()
    this.restore()
  }

  /** Lets `once` handlers answer again, and generators begin anew. MSW calls both on its handlers. */
  override reset(): void {
    callIfAny(this.inner, 'reset')
  }

  override restore(): void {
    callIfAny(this.inner, 'restore')
    this.isUsed = this.inner.isUsed
  }
}
