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
  max?: number
  now?(): number
}

/** @param create makes the mock of a space, or without a name the common one */
export function createSpaces(
  create: (name?: string) => MockApi,
  { idleMs = 30 * 60_000, max = 200, now = Date.now }: SpaceOptions = {},
) {
  const common = create()
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
    const known = named.get(name)
    if (!known && named.size >= max) {
      throw new ControlError(
        `There are ${max} spaces already. Remove some; idle ones are dropped after a while.`,
        [],
        503,
      )
    }
    const mock = known?.mock ?? create(name)
    named.set(name, { mock, usedAt: now() })
    return mock
  }

  return {
    common,
    /**
     * Returns the mock of a request's space, and creates a missing one.
     * @throws ControlError if the name is invalid, or there are too many spaces
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
