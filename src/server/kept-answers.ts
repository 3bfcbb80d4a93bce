import type { Changes } from '../store/changes.js'
import { shareNext } from '../store/share-next.js'
import type { Answer } from './answer.js'

/** An answer, what it depends on, and how long. */
export type Made = {
  answer: Answer
  /** Until when (ms) it stays the same if the store does; undefined where it is not to be kept. */
  until?: number
  /** The team whose projects it may show. */
  team?: string
}

export type KeptAnswersOptions = {
  changes: Changes
  now(): Date
  /** How much is kept at most, in bytes, about. */
  maxBytes?: number
}

/** The answers to one operation that are kept. */
export type KeptReads = {
  /**
   * Tells the answer to the question that a key stands for, if it is kept; the key says all that it depends on. It is
   * told at the end of this turn of the event loop.
   */
  find(key: string, tell: (found: Answer | undefined) => void): void
  /** The same, or else one that is made for all that ask for it meanwhile, and kept. */
  make(key: string, make: () => Promise<Made>): Promise<Answer>
}

type Kept = Made & { since: number; bytes: number }
type Making = { since: number; made: Promise<Made> }

/** Of so many teams it is remembered when they changed last. */
const maxTeams = 10_000

/**
 * Keeps answers to reads as they were sent. An answer is used again only where nothing that it depends on was
 * changed by a commit, of any process, that came before the request. That there was no commit at all is known at
 * once. After one, those who ask share a look at what it changed: the projects of a team, or more, a session for one.
 */
export function createKeptAnswers({ changes, now, maxBytes = 32 * 1024 * 1024 }: KeptAnswersOptions) {
  /** The version of the store up to which its changes have been taken in. */
  let version: string | undefined
  let mark: string | undefined
  /** Counts the changes that were taken in. */
  let turn = 0
  let allChanged = 0
  let teamChanged = new Map<string, number>()
  const answers: Map<string, Kept>[] = []
  let bytes = 0

  const forgetAnswers = () => {
    for (const kept of answers) kept.clear()
    bytes = 0
  }

  const takeIn = shareNext(async () => {
    const current = changes.version()
    const { mark: next, teams } = await changes.since(mark)
    version = current
    mark = next
    if (teams?.length === 0) return
    turn += 1
    for (const team of teams ?? []) teamChanged.set(team, turn)
    if (teams !== undefined && teamChanged.size <= maxTeams) return
    allChanged = turn
    teamChanged = new Map()
    forgetAnswers()
  })

  const isCurrent = (): boolean => {
    try {
      return changes.version() === version
    } catch {
      return false
    }
  }
  // One look serves all who ask in one turn of the event loop: at its end, it comes after each of them.
  let asking: ((isCurrent: boolean) => void)[] = []
  const look = () => {
    const told = asking
    asking = []
    const is = isCurrent()
    for (const tell of told) tell(is)
  }
  const askAtEndOfTurn = (tell: (isCurrent: boolean) => void) => {
    if (asking.push(tell) === 1) setImmediate(look)
  }

  const isTrue = ({ since, team }: { since: number; team?: string }): boolean =>
    since >= allChanged && (team === undefined || since >= (teamChanged.get(team) ?? 0))

  return {
    /** Keeps the answers to one more operation. */
    forOperation(): KeptReads {
      const kept = new Map<string, Kept>()
      const making = new Map<string, Making>()
      answers.push(kept)

      const find = (key: string): Answer | undefined => {
        const found = kept.get(key)
        return found?.until !== undefined && isTrue(found) && now().getTime() < found.until
          ? found.answer
          : undefined
      }

      const keep = (key: string, made: Made, since: number) => {
        // A character may take two bytes; the map and the objects of an entry take some hundred more.
        const size = 2 * key.length + 3 * (made.answer.text?.length ?? 0) + 500
        bytes += size - (kept.get(key)?.bytes ?? 0)
        if (bytes > maxBytes) {
          forgetAnswers()
          bytes = size
        }
        kept.set(key, { ...made, since, bytes: size })
      }

      return {
        find(key, tell) {
          askAtEndOfTurn((isCurrent) => tell(isCurrent ? find(key) : undefined))
        },
        async make(key, make) {
          if (!isCurrent()) {
            // While the store is out of reach, making the answer finds out how to say that.
            const isOutOfReach = await takeIn().catch(() => true)
            if (isOutOfReach) return (await make()).answer
          }
          const found = find(key)
          if (found) return found
          const known = making.get(key)
          // What was begun before a change may not show it.
          if (known?.since === turn) return (await known.made).answer
          const begun = { since: turn, made: make() }
          making.set(key, begun)
          try {
            const made = await begun.made
            if (made.until !== undefined && isTrue({ ...made, since: begun.since }))
              keep(key, made, begun.since)
            return made.answer
          } finally {
            if (making.get(key) === begun) making.delete(key)
          }
        },
      }
    },
  }
}
