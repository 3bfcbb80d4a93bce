import { LRUCache } from 'lru-cache'
import type { Reply, SuccessReply } from '../../handlers/reply.js'
import type { BodyParts } from '../http/encode-body.js'

type CachedReply = SuccessReply<Buffer>
/** Only a whole body is cached: of a large list each part would hold a version. */
type CachedBody = Buffer | BodyParts | undefined
type Entry = { seen: string; reply: CachedReply }

export type ResponseCache = {
  /**
   * The cached response of a key, at once, if the rows that it was made from are unchanged; else it is loaded. Concurrent
   * calls that saw the same rows share one load.
   * @param key names the operation and its parameters, and whose response it is
   * @param version the version of the team, as it was looked up for this request; nothing is cached without it
   * @param seen what else the handler is given: compared as text
   * @param load makes the response; its version is that of the team in the statement that its body was read by
   */
  findOrLoad(
    key: string,
    version: string | undefined,
    seen: string,
    load: () => Promise<Reply<CachedBody>>,
  ): CachedReply | Promise<Reply<CachedBody>>
}

/** How long a response is kept that nobody asks for, in milliseconds: sessions end without a word. */
const unusedMs = 5 * 60_000
/** So many of the least recently used responses are removed, if nobody asks for them, for each that is added. */
const removedPerAddition = 2
/** What an entry takes beside its texts, in bytes: the objects around them. */
const entryOverhead = 500

/**
 * The one rule of caching: a reply is served from memory only if the rows that it was made from are unchanged, and that is
 * looked up for every request. Versions are random texts, so that equal ones mean equal rows, and nothing is ordered.
 * @param maxBytes the bound; the least recently used responses are removed first
 */
export function createResponseCache(maxBytes: number): ResponseCache {
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    // A character of a text may take two bytes.
    sizeCalculation: ({ seen, reply }, key) =>
      2 * (key.length + seen.length) + reply.body.length + entryOverhead,
    ttl: unusedMs,
    updateAgeOnGet: true,
    // Without it `rkeys` walks past what nobody asks for. A stale response is as valid as another: its version decides.
    allowStale: true,
  })
  const loading = new Map<string, Promise<Reply<CachedBody>>>()

  const add = (key: string, entry: Entry) => {
    entries.set(key, entry)
    for (let i = 0; i < removedPerAddition; i += 1) {
      const [oldest = key] = entries.rkeys()
      if (entries.getRemainingTTL(oldest) <= 0) entries.delete(oldest)
    }
  }

  return {
    findOrLoad(key, version, seen, load) {
      if (version === undefined) return load()
      const known = entries.get(key)
      if (known && known.reply.version === version && known.seen === seen) return known.reply

      const id = `${key} ${version} ${seen}`
      const running = loading.get(id)
      if (running) return running
      const own = load()
        .then((reply) => {
          if (reply.code === undefined && reply.version !== undefined && Buffer.isBuffer(reply.body)) {
            add(key, { seen, reply: { ...reply, body: reply.body } })
          }
          return reply
        })
        .finally(() => loading.delete(id))
      loading.set(id, own)
      return own
    },
  }
}
