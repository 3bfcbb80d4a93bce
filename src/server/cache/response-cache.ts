import { LRUCache } from 'lru-cache'
import type { ChangeTracker, Dependency } from './change-tracker.js'

/** A loaded value, and how long and for what it is valid. */
export type Loaded<Value> = Pick<Dependency, 'team'> & {
  value: Value
  /** The time (ms) at which the value becomes invalid even if the store does not change; undefined: never cached. */
  until?: number
}

export type Cache<Value> = {
  /**
   * Returns the cached value of a key if it is valid, or loads it. Concurrent calls share one load.
   * @param generation of the store's data, read after the request arrived (see ChangeTracker); without it the value is
   *   loaded and not cached
   * @param key names everything that the value depends on, beside the store
   */
  get(generation: number | undefined, key: string, load: () => Promise<Loaded<Value>>): Promise<Value>
}

export type CacheOptions<Value> = {
  tracker: Pick<ChangeTracker, 'isValid'>
  now(): Date
  /** How much is cached at most, in bytes; the least recently used values are removed first. */
  maxBytes: number
  /** The approximate size of a value in bytes. */
  sizeOf(value: Value): number
}

/** What an entry takes beside its key and its value, in bytes: the objects around them. */
const entryOverhead = 500

export function createCache<Value>({ tracker, now, maxBytes, sizeOf }: CacheOptions<Value>): Cache<Value> {
  type Entry = Loaded<Value> & Dependency & { until: number }
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    // A character of the key may take two bytes.
    sizeCalculation: ({ value }, key) => 2 * key.length + sizeOf(value) + entryOverhead,
  })
  const inFlight = new Map<string, { since: number; loading: Promise<Loaded<Value>> }>()

  return {
    async get(since, key, load) {
      if (since === undefined) return (await load()).value

      const cached = entries.get(key)
      if (cached && tracker.isValid(cached) && now().getTime() < cached.until) return cached.value

      const running = inFlight.get(key)
      // A load that began before a change may not show it.
      if (running && running.since >= since) return (await running.loading).value

      const own = { since, loading: load() }
      inFlight.set(key, own)
      try {
        const { value, until, team } = await own.loading
        if (until !== undefined && tracker.isValid({ since, team })) {
          entries.set(key, { value, until, team, since })
        }
        return value
      } finally {
        if (inFlight.get(key) === own) inFlight.delete(key)
      }
    },
  }
}
