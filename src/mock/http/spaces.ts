import { cookieSentOnce } from '../../contract/cookie.js'
import { ControlError } from '../core/control-error.js'
import type { MockApi } from '../core/mock-api.js'

/** The header or cookie that names the space of a request. */
export const spaceHeader = 'x-mock-space'

/** Mocks that do not see each other: the common one, and one for each name that requests give. */
export type Spaces = {
  common: MockApi
  /**
   * The mock that a request belongs to, made on first use.
   * @throws ControlError for a name that is none, or where there are too many
   */
  forRequest(headers: Headers): MockApi
  /** Those there are at the moment. */
  all(): MockApi[]
}

export type SpaceOptions = {
  /** After how long without a request a space is dropped, in milliseconds. */
  idleMs?: number
  max?: number
  now?(): number
}

/** @param create makes a mock from the fixtures; without a name the common one */
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
        throw new ControlError(`There are ${max} spaces already; one is dropped when idle.`, [], 503)
      }
      const mock = known?.mock ?? create(name)
      named.set(name, { mock, usedAt: now() })
      return mock
    },
    all: () => [common, ...[...named.values()].map(({ mock }) => mock)],
  }
}
