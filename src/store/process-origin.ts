import { hostname, userInfo } from 'node:os'
import type { Origin } from './audit-log.js'

let command = 'unknown'

/** Tells which command this process runs, such as `team remove`. */
export const setCommand = (name: string): void => {
  command = name
}

/**
 * The origin of what this process does by itself: its command, the host, and the system's user. With sudo that is who
 * called it, as the environment says; the user that it runs as is in the details.
 */
export function processOrigin(): Origin {
  const user = systemUser() ?? `uid ${process.getuid?.()}`
  const caller = process.env.SUDO_USER
  return {
    via: command,
    operator: caller || user,
    source: hostname(),
    ...(caller && { details: { runsAs: user } }),
  }
}

/** The user of this process, which has no name in a container that chose its id. */
export function systemUser(): string | undefined {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}
