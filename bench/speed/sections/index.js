// The sections of the report, in order. Each has its subjects and workloads, and returns tables.
import { commands } from './commands.js'
import {
  concurrentCommits,
  givenFsync,
  largeFixture,
  loggedReads,
  mock,
  reads,
  writes,
} from './comparisons.js'
import { cost } from './cost.js'
import { growth } from './growth.js'
import { latency } from './latency.js'
import { memory } from './memory.js'
import { postgres } from './postgres.js'
import { profile } from './profile.js'
import { staleness } from './staleness.js'
import { start } from './start.js'

export const sections = {
  reads,
  loggedReads,
  cost,
  profile,
  concurrentCommits,
  staleness,
  writes,
  givenFsync,
  latency,
  memory,
  growth,
  postgres,
  mock,
  largeFixture,
  start,
  commands,
}
