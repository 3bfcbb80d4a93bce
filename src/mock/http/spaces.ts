import { cookieSentOnce } from '../../contract/cookie.js'
import { spaceHeader, spaceNameFault } from '../controls/control-endpoints.js'
import type { SentRequest } from '../engine/sent-request.js'
import type { MockApi } from '../mock-api.js'
import { ControlError } from '../state/control-error.js'

/** Isolated mocks: the common one, and one for each name of requests. */
export type Spaces = ReturnType<typeof createSpaces>

export type SpaceOptions = {
  /** The time without a request after which a space is dropped, in milliseconds. */
  idleMs?: number
  /** How many there are at most. A further one takes the place of the one that was not used for the longest time. */
  max?: number | undefined
  /** Called with the name of a space that another one has replaced, and how many there are at most. */
  onReplaced?(name: string, max: number): void
  now?(): number
}

/** @param create makes the mock of a space, or without a name the common one */
export function createSpaces(
  create: (name?: string) => MockApi,
  { idleMs = 30 * 60_000, max = 200, onReplaced = () => {}, now = Date.now }: SpaceOptions = {},
) {
  const common = create()
  /** The one that was not used for the longest time comes first. */
  const named = new Map<string, { mock: MockApi; usedAt: number }>()

  const dropIdle = () => {
    for (const [name, { usedAt }] of named) if (now() - usedAt > idleMs) named.delete(name)
  }

  const list = async () => {
    dropIdle()
    return [...named.keys()]
  }

  const use = (name: string): MockApi => {
    const fault = spaceNameFault(name)
    if (fault) throw new ControlError(fault, [], 400)
    dropIdle()
    const mock = named.get(name)?.mock ?? create(name)
    named.delete(name)
    named.set(name, { mock, usedAt: now() })
    const [oldest] = named.keys()
    if (named.size > max && oldest !== undefined) {
      named.delete(oldest)
      onReplaced(oldest, max)
    }
    return mock
  }

  return {
    common,
    /**
     * Returns the mock of a request's space, and creates a missing one.
     * @throws ControlError if the name is invalid
     */
    forRequest(headers: SentRequest['headers']): MockApi {
      const name = headers[spaceHeader] ?? cookieSentOnce(headers.cookie, spaceHeader)
      return name === undefined ? common : use(name)
    },
    all: () => [common, ...[...named.values()].map(({ mock }) => mock)],
    controls: {
      list,
      async create(name: string) {
        named.delete(name)
        use(name)
        return list()
      },
      async remove(name: string) {
        const names = await list()
        if (!named.delete(name)) throw new ControlError(`There is no space "${name}".`, names, 404)
        return list()
      },
    },
  }
}
