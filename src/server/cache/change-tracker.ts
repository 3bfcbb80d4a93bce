import type { ChangeFeed } from '../../store/change-feed.js'
import { coalesce } from '../../store/coalesce.js'

/** What a cached value depends on beside its key. */
export type Dependency = {
  /** The generation of the store's data in which loading the value began. */
  since: number
  /** The team whose projects the value may show. */
  team?: string
}

export type ChangeTracker = {
  /**
   * The generation of the store's data at some moment after the call: a number that grows with each change. Calls of
   * one event-loop turn share one check of the change feed.
   * @returns undefined where the change feed cannot be read: then nothing is cached
   */
  generation(): Promise<number | undefined>
  /** Whether no change that is known so far affects a value. */
  isValid(dependency: Dependency): boolean
}

/** For how many teams the generation of the last change is stored. */
const maxTeams = 10_000

/**
 * Tracks which cached values the commits of all processes invalidate: a change of projects those of its team, any
 * other change (of a session, a user, a team) all of them.
 */
export function createChangeTracker(changes: ChangeFeed): ChangeTracker {
  let version: string | undefined
  let cursor: string | undefined
  let generation = 0
  /** The generation of the last change that affects every value. */
  let allChanged = 0
  /** The generation of the last change of each team; the least recently changed team comes first. */
  const teamChanged = new Map<string, number>()
  /** For teams that were removed from the map to keep it small: none of them has changed after this generation. */
  let othersChanged = 0

  const invalidate = (teams: string[] | undefined) => {
    if (teams?.length === 0) return
    generation += 1
    if (teams === undefined) allChanged = generation
    for (const team of teams ?? []) {
      teamChanged.delete(team)
      teamChanged.set(team, generation)
    }
    for (const [team, changed] of teamChanged) {
      if (teamChanged.size <= maxTeams) break
      teamChanged.delete(team)
      othersChanged = changed
    }
  }

  const refresh = coalesce(async () => {
    try {
      // Read before the changes: a commit in between is then found by the next check.
      const current = changes.version?.()
      const changed = await changes.since(cursor)
      version = current
      cursor = changed.cursor
      invalidate(changed.teams)
      return generation
    } catch {
      return undefined
    }
  })

  let shared: Promise<number | undefined> | undefined
  const check = (resolve: (generation: number | undefined | Promise<number | undefined>) => void) => {
    shared = undefined
    try {
      resolve(changes.version?.() === version ? generation : refresh())
    } catch {
      resolve(undefined)
    }
  }

  return {
    generation() {
      // Without a version the feed is asked each time: the calls of a turn share that.
      if (!changes.version) return refresh()
      // The check at the end of the turn comes after each call of the turn.
      shared ??= new Promise((resolve) => setImmediate(check, resolve))
      return shared
    },
    isValid: ({ since, team }) =>
      since >= allChanged && (team === undefined || since >= (teamChanged.get(team) ?? othersChanged)),
  }
}
