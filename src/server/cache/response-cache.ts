import type { ChangeFeed } from '../../store/change-feed.js'
import { coalesce } from '../../store/coalesce.js'

/** What was made of the store, what it depends on, and how long. */
export type Made<Value> = {
  value: Value
  /** Until when (ms) it stays the same if the store does; undefined where it is not to be kept. */
  until?: number
  /** The team whose projects it may show. */
  team?: string
}

export type KeptOptions = {
  changes: ChangeFeed
  now(): Date
  /** How much is kept at most, in bytes, about. */
  maxBytes?: number
}

/** What is kept of one kind, by keys. A key says all that its value depends on, beside the store. */
export type Kept<Value> = {
  /** Tells what is kept for a key, if it is still true, at the end of this turn of the event loop. */
  find(key: string, tell: (found: Value | undefined) => void): void
  /** The same, or else what is made for all that ask for it meanwhile, and kept. */
  get(key: string, make: () => Promise<Made<Value>>): Promise<Value>
}

export type Keeping = {
  /** Keeps one more kind of values. @param sizeOf how many bytes one takes, about */
  ofKind<Value>(sizeOf: (value: Value) => number): Kept<Value>
}

type Entry<Value> = Made<Value> & { key: string; since: number; bytes: number }
type Making<Value> = { since: number; made: Promise<Made<Value>> }

/** What a key is looked up by: to hash all of one takes longer than the rest of finding. One cookie ends with its signature. */
const shortOf = (key: string): string => (key.includes(';') ? key : key.slice(-32))

/** Of so many teams it is remembered when they changed last. */
const maxTeams = 10_000

/**
 * Keeps what was made of the store: answers to reads, and who a cookie speaks for. It is used again only where
 * nothing that it depends on was changed by a commit, of any process, that came before the request. That there was
 * no commit at all is known at once. After one, those who ask share a look at what it changed: the projects of a
 * team, or more, a session for one.
 */
export function createKeeping({ changes, now, maxBytes = 32 * 1024 * 1024 }: KeptOptions): Keeping {
  /** The version of the store up to which its changes have been taken in. */
  let version: string | undefined
  let mark: string | undefined
  /** Counts the changes that were taken in. */
  let turn = 0
  let allChanged = 0
  let teamChanged = new Map<string, number>()
  const kinds: Map<string, unknown>[] = []
  let bytes = 0

  const forgetAll = () => {
    for (const entries of kinds) entries.clear()
    bytes = 0
  }

  const changed = (teams: string[] | undefined) => {
    if (teams?.length === 0) return
    turn += 1
    for (const team of teams ?? []) teamChanged.set(team, turn)
    if (teams !== undefined && teamChanged.size <= maxTeams) return
    allChanged = turn
    teamChanged = new Map()
    forgetAll()
  }
  const takeIn = coalesce(async () => {
    const current = changes.version()
    const { cursor: next, teams } = await changes.since(mark)
    version = current
    mark = next
    changed(teams)
  })
  const isCurrent = (): boolean => {
    try {
      return changes.version() === version
    } catch {
      return false
    }
  }

  // One look serves all who ask in one turn of the event loop: at its end, it comes after each of them.
  let asking: ((time: number | undefined) => void)[] = []
  const look = () => {
    const told = asking
    asking = []
    const time = isCurrent() ? now().getTime() : undefined
    for (const tell of told) tell(time)
  }
  /** Tells the time, if what is known of the store is true. */
  const askAtEndOfTurn = (tell: (time: number | undefined) => void) => {
    if (asking.push(tell) === 1) setImmediate(look)
  }

  const isTrue = ({ since, team }: { since: number; team?: string }): boolean =>
    since >= allChanged && (team === undefined || since >= (teamChanged.get(team) ?? 0))

  return {
    ofKind<Value>(sizeOf: (value: Value) => number): Kept<Value> {
      const entries = new Map<string, Entry<Value>>()
      const making = new Map<string, Making<Value>>()
      kinds.push(entries)

      const foundAt = (time: number, key: string): Value | undefined => {
        const found = entries.get(shortOf(key))
        if (found?.until === undefined || found.key !== key) return undefined
        return isTrue(found) && time < found.until ? found.value : undefined
      }

      const keep = (key: string, made: Made<Value>, since: number) => {
        // A character may take two bytes; the map and the objects of an entry take some hundred more.
        const size = 2 * key.length + sizeOf(made.value) + 500
        const short = shortOf(key)
        bytes += size - (entries.get(short)?.bytes ?? 0)
        if (bytes > maxBytes) {
          forgetAll()
          bytes = size
        }
        // A part of a text holds on to all of it, and a map to the first of equal keys.
        entries.delete(short)
        entries.set(short, { ...made, key, since, bytes: size })
      }

      return {
        find(key, tell) {
          askAtEndOfTurn((time) => tell(time === undefined ? undefined : foundAt(time, key)))
        },
        async get(key, make) {
          if ((await new Promise(askAtEndOfTurn)) === undefined) {
            // While the store is out of reach, making it anew finds out how to say that.
            const isOutOfReach = await takeIn().catch(() => true)
            if (isOutOfReach) return (await make()).value
          }
          const found = foundAt(now().getTime(), key)
          if (found !== undefined) return found
          const known = making.get(key)
          // What was begun before a change may not show it.
          if (known?.since === turn) return (await known.made).value
          const begun = { since: turn, made: make() }
          making.set(key, begun)
          try {
            const made = await begun.made
            if (made.until !== undefined && isTrue({ ...made, since: begun.since }))
              keep(key, made, begun.since)
            return made.value
          } finally {
            if (making.get(key) === begun) making.delete(key)
          }
        },
      }
    },
  }
}
