// The sections of the report, in order. Each defines its subjects and workloads, and returns tables.
import { commands } from './commands.js'
import { concurrentCommits } from './concurrent-commits.js'
import { cost } from './cost.js'
import { growth } from './growth.js'
import { largeFixture } from './large-fixture.js'
import { latency } from './latency.js'
import { memory } from './memory.js'
import { mock } from './mock.js'
import { postgres } from './postgres.js'
import { profile } from './profile.js'
import { loggedReads, reads } from './reads.js'
import { slowDisk } from './slow-disk.js'
import { staleness } from './staleness.js'
import { start } from './start.js'
import { writes } from './writes.js'

export const sections = {
  reads,
  loggedReads,
  cost,
  profile,
  concurrentCommits,
  staleness,
  writes,
  slowDisk,
  latency,
  memory,
  growth,
  postgres,
  mock,
  largeFixture,
  start,
  commands,
}
