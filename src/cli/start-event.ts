/** What `dev` tells a parent that has an IPC channel to it: where it listens, or why it did not start. */
export type StartEvent = { url: string } | { error: string }

/** Tells the parent, if there is a channel. */
export function tellParent(event: StartEvent): void {
  if (process.connected) process.send?.(event)
}
