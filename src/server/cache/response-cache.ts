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
   * Returns the cached value of a key if it is valid, or loads it. Concurrent calls share one load, unless a change
   * between them affects the value; even then no more than two loads of a key run at once.
   * @param generation of the store's data, read after the request arrived (see ChangeTracker); without it the value is
   *   loaded and not cached
   * @param key names everything that the value depends on, beside the store
   * @param team the team whose projects the value may show, if that is known before it is loaded
   */
  get(
    generation: number | undefined,
    key: string,
    load: () => Promise<Loaded<Value>>,
    team?: string,
  ): Promise<Value>
}

export type CacheOptions<Value> = {
  tracker: Pick<ChangeTracker, 'isValid' | 'generation'>
  now(): Date
  /** How much is cached at most, in bytes; the least recently used values are removed first. */
  maxBytes: number
  /** The approximate size of a value in bytes. */
  sizeOf(value: Value): number
}

/** How many loads of a key run at once at most. A load may be large, and changes may come faster than it ends. */
const maxLoads = 2

/** So many of the least recently used values are removed, if they are no longer valid, for each that is added. */
const removedPerAddition = 2

/** What an entry takes beside its key and its value, in bytes: the objects around them. */
const entryOverhead = 500

export function createCache<Value>({ tracker, now, maxBytes, sizeOf }: CacheOptions<Value>): Cache<Value> {
  type Entry = Loaded<Value> & Dependency & { until: number }
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    // A character of the key may take two bytes.
    sizeCalculation: ({ value }, key) => 2 * key.length + sizeOf(value) + entryOverhead,
  })
  const isValid = (entry: Entry) => tracker.isValid(entry) && now().getTime() < entry.until
  const add = (key: string, entry: Entry) => {
    entries.set(key, entry)
    // Those of sessions that have ended are never asked for again. To look at all of them at once would take 100 ms.
    for (let i = 0; i < removedPerAddition; i += 1) {
      const [oldest = key] = entries.rkeys()
      const value = entries.peek(oldest)
      if (value && !isValid(value)) entries.delete(oldest)
    }
  }

  type Load = { since: number; loading: Promise<Loaded<Value>> }
  /** The running loads of each key, the newest last. */
  const inFlight = new Map<string, Load[]>()

  const start = async (since: number, key: string, load: () => Promise<Loaded<Value>>): Promise<Value> => {
    const own = { since, loading: load() }
    inFlight.set(key, [...(inFlight.get(key) ?? []), own])
    try {
      const { value, until, team } = await own.loading
      if (until !== undefined && tracker.isValid({ since, team })) {
        add(key, { value, until, team, since })
      }
      return value
    } finally {
      const others = inFlight.get(key)?.filter((each) => each !== own)
      if (others?.length) inFlight.set(key, others)
      else inFlight.delete(key)
    }
  }

  return {
    async get(generation, key, load, team) {
      for (let since = generation; since !== undefined; since = await tracker.generation()) {
        const cached = entries.get(key)
        if (cached && isValid(cached)) return cached.value

        const running = inFlight.get(key) ?? []
        const newest = running.at(-1)
        // A load that began before a change of the value may not show it.
        const showsAll =
          newest && (newest.since >= since || (team && tracker.isValid({ since: newest.since, team })))
        if (showsAll) return (await newest.loading).value
        if (!newest || running.length < maxLoads) return start(since, key, load)
        await newest.loading.catch(() => {})
      }
      return (await load()).value
    },
  }
}
