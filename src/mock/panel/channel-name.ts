import { randomId } from '../engine/random-id.js'

const key = 'dashboard-api-workbench'

/** The name of this tab's channel to its workbench, which survives reloads, if there is one. */
export function storedChannelName(): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

let chosen: Promise<string> | undefined

/** The name of the channel for this page, which no other tab has. */
export function channelName(): Promise<string> {
  chosen ??= chooseName()
  return chosen
}

async function chooseName(): Promise<string> {
  const stored = storedChannelName()
  // A duplicated tab has the same stored name. Both mocks would do the calls for one.
  if (stored !== undefined && (await holdLock(stored))) return stored
  const name = `dashboard-api:${randomId()}`
  void holdLock(name)
  try {
    sessionStorage.setItem(key, name)
  } catch {
    // Without storage, a reload leaves a workbench in a tab behind.
  }
  return name
}

/** Takes a lock until the page ends. Returns false if another tab holds it; a reloaded page releases it soon. */
function holdLock(name: string): Promise<boolean> {
  const { locks } = navigator
  if (!locks) return Promise.resolve(true)
  return new Promise((resolve) => {
    const hold = () => {
      resolve(true)
      return new Promise<never>(() => {})
    }
    locks.request(name, { signal: AbortSignal.timeout(2_000) }, hold).catch(() => resolve(false))
  })
}
