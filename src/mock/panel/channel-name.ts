const key = 'dashboard-api-workbench'

/** The name of this tab's channel to its workbench. It stays over reloads; undefined if there was no workbench yet. */
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
  // A duplicate of a tab has what it stored: of both mocks, each would do what is meant for one.
  if (stored !== undefined && (await holdLock(stored))) return stored
  const name = `dashboard-api:${crypto.randomUUID()}`
  void holdLock(name)
  try {
    sessionStorage.setItem(key, name)
  } catch {
    // Without storage, a workbench in a tab is left behind by a reload.
  }
  return name
}

/** Takes a lock until the page ends. Returns false if another tab has it, which a page that is reloaded has not for long. */
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
