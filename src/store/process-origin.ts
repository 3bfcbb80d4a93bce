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
  const user = systemUser()
  const caller = process.env.SUDO_USER
  return {
    via: command,
    operator: caller || user,
    source: hostname(),
    ...(caller && { details: { runsAs: user } }),
  }
}

/** In a container the user may have no name. */
function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.()}`
  }
}
