import { LRUCache } from 'lru-cache'
import type { Reply, SuccessReply } from '../../handlers/reply.js'
import type { ReplyCache } from '../../handlers/reply-cache.js'
import { createBodyEncoder } from './encode-body.js'

type CachedReply = SuccessReply<Buffer>
type Entry = { inputs: string; reply: CachedReply }

/** How long an unrequested response is kept, in milliseconds: no event reports that a session has ended. */
const unusedMs = 5 * 60_000
/** Each addition removes up to this many expired responses, the least recently used first. */
const removedPerAddition = 2
/** The size of an entry's objects beside its texts, in bytes. */
const entryOverhead = 500

/**
 * Serves a reply from memory only if its rows are unchanged: each request compares the version. Versions are random texts,
 * compared for equality alone. A response is cached as the bytes of its body.
 * @param maxBytes the limit; the least recently used responses are removed first
 */
export function createResponseCache(maxBytes: number): ReplyCache {
  const encodeShared = createBodyEncoder()
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    // A character may take two bytes.
    sizeCalculation: ({ inputs, reply }, key) =>
      2 * (key.length + inputs.length) + reply.body.length + entryOverhead,
    ttl: unusedMs,
    // The resolution of the clock, in milliseconds.
    ttlResolution: 100,
    updateAgeOnGet: true,
    // `rkeys` must also list expired entries, so that they can be removed. Serving one is safe: its version is compared.
    allowStale: true,
  })
  const loading = new Map<string, Promise<Reply>>()

  const loadNow = async (key: string, inputs: string, load: () => Promise<Reply>): Promise<Reply> => {
    const reply = await load()
    if (reply.code !== undefined) return reply
    const isForTeam = inputs === ''
    const body = isForTeam ? Buffer.from(JSON.stringify(reply.body)) : encodeShared(reply.body as object)
    const encoded = { ...reply, body }
    // A body in parts is not cached: each cached reply would keep an old version of the large list in memory.
    if (reply.version === undefined || !Buffer.isBuffer(body)) return encoded
    entries.set(key, { inputs, reply: { ...reply, body } })
    for (let i = 0; i < removedPerAddition; i += 1) {
      const [oldest = key] = entries.rkeys()
      if (entries.getRemainingTTL(oldest) <= 0) entries.delete(oldest)
    }
    return encoded
  }

  return {
    find({ key, version, inputs }) {
      const known = entries.get(key)
      return known?.reply.version === version && known.inputs === inputs ? known.reply : undefined
    },
    load({ key, version, inputs }, load) {
      const id = `${key} ${version} ${inputs}`
      const running = loading.get(id)
      if (running) return running
      const own = loadNow(key, inputs, load).finally(() => loading.delete(id))
      loading.set(id, own)
      return own
    },
  }
}
