// The sections of the report, in its order: each names its subjects and its work, and gives tables.
import { changing } from './changing.js'
import { commands } from './commands.js'
import { fixture } from './fixture.js'
import { growth } from './growth.js'
import { latency } from './latency.js'
import { memory } from './memory.js'
import { mock } from './mock.js'
import { profile } from './profile.js'
import { reads } from './reads.js'
import { slowDisk } from './slow-disk.js'
import { stale } from './stale.js'
import { start } from './start.js'
import { writes } from './writes.js'

export const sections = {
  reads,
  profile,
  changing,
  stale,
  writes,
  slowDisk,
  latency,
  memory,
  growth,
  mock,
  fixture,
  start,
  commands,
}
