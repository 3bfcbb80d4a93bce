import type { Answer } from './answer.js'

/** An answer, and until when (ms) it stays the same if the store does; undefined where it is not to be kept. */
export type Made = { answer: Answer; until?: number }

export type KeptAnswersOptions = {
  /** What changes with each change of the store, whoever makes it. */
  version(): string
  now(): Date
  /** How much is kept at most, in bytes, about. */
  maxBytes?: number
}

export type KeptAnswers = {
  /** The answer to the question that a key stands for, if it is kept. The key says all that it depends on. */
  find(key: string): Answer | undefined
  /** Makes an answer for all that ask for it meanwhile, and keeps it. */
  make(key: string, make: () => Promise<Made>): Promise<Answer>
}

/**
 * Keeps answers to reads as they were sent. An answer is used again only if the store is, after the request has
 * arrived, what it was before the answer was made. So a commit by any process is seen by every request that comes
 * after it, a revocation for one.
 */
export function createKeptAnswers({
  version,
  now,
  maxBytes = 16 * 1024 * 1024,
}: KeptAnswersOptions): KeptAnswers {
  let kept = new Map<string, Required<Made>>()
  let making = new Map<string, Promise<Made>>()
  let bytes = 0
  let of: string | undefined

  const look = () => {
    const current = version()
    if (current === of) return
    of = current
    kept = new Map()
    making = new Map()
    bytes = 0
  }

  const keep = (key: string, made: Required<Made>) => {
    // A character may take two bytes; the map and the objects of an entry take some hundred more.
    bytes += 2 * (key.length + (made.answer.text?.length ?? 0)) + 500
    if (bytes > maxBytes) {
      kept = new Map()
      bytes = 0
    }
    kept.set(key, made)
  }

  return {
    find(key) {
      look()
      const found = kept.get(key)
      return found && now().getTime() < found.until ? found.answer : undefined
    },
    async make(key, make) {
      look()
      const known = making.get(key)
      if (known) return (await known).answer
      const current = of
      const made = make()
      making.set(key, made)
      const { answer, until } = await made
      if (of !== current) return answer
      making.delete(key)
      if (until !== undefined) keep(key, { answer, until })
      return answer
    },
  }
}
