import { hostname, userInfo } from 'node:os'
import type { Origin } from './audit-log.js'

let command = 'unknown'

/** Sets the command of this process, such as `team remove`. */
export const setCommand = (name: string): void => {
  command = name
}

/**
 * The origin of changes by this process: command, host and system user. With sudo it names the calling user, and the details
 * name the effective one.
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

/** The user of this process. A container may choose an id without a name. */
export function systemUser(): string | undefined {
  try {
    return userInfo().username
  } catch {
    return undefined
  }
}
