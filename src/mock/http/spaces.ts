import { cookieSentOnce } from '../../contract/cookie.js'
import { ControlError } from '../core/control-error.js'
import type { MockApi } from '../core/mock-api.js'

/** The header or cookie that names the space of a request. */
export const spaceHeader = 'x-mock-space'

/** Isolated mocks: the common one, and one for each name that requests give. */
export type Spaces = {
  common: MockApi
  /**
   * Returns the mock of a request's space, and creates it on first use.
   * @throws ControlError if the name is not valid, or there are too many spaces
   */
  forRequest(headers: Headers): MockApi
  /** Returns all current mocks. */
  all(): MockApi[]
}

export type SpaceOptions = {
  /** The milliseconds without a request after which a space is dropped. */
  idleMs?: number
  max?: number
  now?(): number
}

/** @param create makes the mock of a space; without a name, of the common one */
export function createSpaces(
  create: (name?: string) => MockApi,
  { idleMs = 30 * 60_000, max = 200, now = Date.now }: SpaceOptions = {},
): Spaces {
  const common = create()
  const named = new Map<string, { mock: MockApi; usedAt: number }>()

  const dropIdle = () => {
    for (const [name, { usedAt }] of named) if (now() - usedAt > idleMs) named.delete(name)
  }

  return {
    common,
    forRequest(headers) {
      const name = headers.get(spaceHeader) ?? cookieSentOnce(headers.get('cookie') ?? '', spaceHeader)
      if (name === undefined) return common
      if (!/^[A-Za-z0-9._-]{1,64}$/.test(name)) {
        throw new ControlError(`${spaceHeader} takes 1 to 64 of A-Z a-z 0-9 . _ - .`, [], 400)
      }
      dropIdle()
      const known = named.get(name)
      if (!known && named.size >= max) {
        throw new ControlError(
          `There are ${max} spaces already. Idle ones are dropped after a while.`,
          [],
          503,
        )
      }
      const mock = known?.mock ?? create(name)
      named.set(name, { mock, usedAt: now() })
      return mock
    },
    all: () => [common, ...[...named.values()].map(({ mock }) => mock)],
  }
}
