const key = 'dashboard-api-workbench'

/** The name of this tab's channel to its workbench. It stays over reloads; undefined if there was no workbench yet. */
export function storedChannelName(): string | undefined {
  try {
    return sessionStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

export function channelName(): string {
  const name = storedChannelName() ?? `dashboard-api:${crypto.randomUUID()}`
  try {
    sessionStorage.setItem(key, name)
  } catch {
    // Without storage, a workbench in a tab is left behind by a reload.
  }
  return name
}
