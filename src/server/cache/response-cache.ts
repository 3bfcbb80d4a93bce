import { LRUCache } from 'lru-cache'
import type { Reply, SuccessReply } from '../../handlers/reply.js'
import type { ReplyCache } from '../../handlers/reply-cache.js'
import { createBodyEncoder } from '../http/encode-body.js'

type CachedReply = SuccessReply<Buffer>
type Entry = { seen: string; reply: CachedReply }

/** How long a response that is not requested is kept, in milliseconds: no event tells that a session has ended. */
const unusedMs = 5 * 60_000
/** So many of the least recently used responses are removed, if they are not requested, for each that is added. */
const removedPerAddition = 2
/** What an entry takes beside its texts, in bytes: the objects around them. */
const entryOverhead = 500

/**
 * The one rule of caching: a reply is served from memory only if the rows that it was made from are unchanged, and that is
 * looked up for every request. Versions are random texts, so that equal ones mean equal rows, and nothing is ordered.
 * A response is cached as the bytes of its body.
 * @param maxBytes the bound; the least recently used responses are removed first
 */
export function createResponseCache(maxBytes: number): ReplyCache {
  const encodeShared = createBodyEncoder()
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    // A character of a text may take two bytes.
    sizeCalculation: ({ seen, reply }, key) =>
      2 * (key.length + seen.length) + reply.body.length + entryOverhead,
    ttl: unusedMs,
    // How often it looks at the clock, in milliseconds.
    ttlResolution: 100,
    updateAgeOnGet: true,
    // Without it `rkeys` walks past responses that are not requested. A stale response is as valid as another: its version decides.
    allowStale: true,
  })
  const loading = new Map<string, Promise<Reply>>()

  const loadNow = async (key: string, seen: string, load: () => Promise<Reply>): Promise<Reply> => {
    const reply = await load()
    if (reply.code !== undefined) return reply
    const isForTeam = seen === ''
    const body = isForTeam ? Buffer.from(JSON.stringify(reply.body)) : encodeShared(reply.body as object)
    const encoded = { ...reply, body }
    // Only a whole body is cached: of a large list each part would hold a version.
    if (reply.version === undefined || !Buffer.isBuffer(body)) return encoded
    entries.set(key, { seen, reply: { ...reply, body } })
    for (let i = 0; i < removedPerAddition; i += 1) {
      const [oldest = key] = entries.rkeys()
      if (entries.getRemainingTTL(oldest) <= 0) entries.delete(oldest)
    }
    return encoded
  }

  return {
    find({ key, version, seen }) {
      const known = entries.get(key)
      return known?.reply.version === version && known.seen === seen ? known.reply : undefined
    },
    load({ key, version, seen }, load) {
      const id = `${key} ${version} ${seen}`
      const running = loading.get(id)
      if (running) return running
      const own = loadNow(key, seen, load).finally(() => loading.delete(id))
      loading.set(id, own)
      return own
    },
  }
}
