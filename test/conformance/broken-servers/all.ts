import { additionServers } from './additions.js'
import { bodyServers } from './bodies.js'
import type { BrokenServer } from './broken-server.js'
import { callerServers } from './callers.js'
import { concurrencyServers } from './concurrency.js'
import { nameServers } from './names.js'
import { orderServers } from './order-of-checks.js'
import { siteServers } from './other-sites.js'
import { teamServers } from './other-teams.js'
import { pathServers } from './paths-and-errors.js'
import { readServers } from './reads.js'
import { takenNameServers } from './taken-names.js'
import { updateServers } from './updates.js'
import { waitlistServers } from './waitlist.js'

/** Broken servers: each breaks one sentence of the specification. */
export const brokenServers: BrokenServer[] = [
  ...callerServers,
  ...readServers,
  ...nameServers,
  ...updateServers,
  ...bodyServers,
  ...orderServers,
  ...pathServers,
  ...waitlistServers,
  ...concurrencyServers,
  ...siteServers,
  ...additionServers,
  ...teamServers,
  ...takenNameServers,
]
