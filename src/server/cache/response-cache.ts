import { LRUCache } from 'lru-cache'
import type { Reply, SuccessReply } from '../../handlers/reply.js'
import type { BodyParts } from '../http/encode-body.js'

type CachedReply = SuccessReply<Buffer>
/** Only a whole body is cached: of a large list each part would hold a version. */
type CachedBody = Buffer | BodyParts | undefined
type Entry = { seen: string; reply: CachedReply }

/** What a response depends on, as it was looked up for one request. */
export type Scope = {
  /** Names the operation and its parameters, and whose response it is. */
  key: string
  /** The version of the team. */
  version: string
  /** What else the handler is given: compared as text. */
  seen: string
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
export function createResponseCache(maxBytes: number) {
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    // A character of a text may take two bytes.
    sizeCalculation: ({ seen, reply }, key) =>
      2 * (key.length + seen.length) + reply.body.length + entryOverhead,
    ttl: unusedMs,
    // How often it looks at the clock, in milliseconds.
    ttlResolution: 100,
    updateAgeOnGet: true,
    // Without it `rkeys` walks past what nobody asks for. A stale response is as valid as another: its version decides.
    allowStale: true,
  })
  const loading = new Map<string, Promise<Reply<CachedBody>>>()

  const loadNow = async (key: string, seen: string, load: () => Promise<Reply<CachedBody>>) => {
    const reply = await load()
    if (reply.code !== undefined || reply.version === undefined || !Buffer.isBuffer(reply.body)) return reply
    entries.set(key, { seen, reply: { ...reply, body: reply.body } })
    for (let i = 0; i < removedPerAddition; i += 1) {
      const [oldest = key] = entries.rkeys()
      if (entries.getRemainingTTL(oldest) <= 0) entries.delete(oldest)
    }
    return reply
  }

  return {
    /** The cached response, if the rows that it was made from are unchanged. */
    find({ key, version, seen }: Scope): CachedReply | undefined {
      const known = entries.get(key)
      return known?.reply.version === version && known.seen === seen ? known.reply : undefined
    },
    /**
     * Loads a response, and caches it. Concurrent calls that saw the same rows share one load.
     * @param load makes the response; its version is that of the team in the statement that its body was read by
     */
    load({ key, version, seen }: Scope, load: () => Promise<Reply<CachedBody>>): Promise<Reply<CachedBody>> {
      const id = `${key} ${version} ${seen}`
      const running = loading.get(id)
      if (running) return running
      const own = loadNow(key, seen, load).finally(() => loading.delete(id))
      loading.set(id, own)
      return own
    },
  }
}
