// The drills, in the order of the report. Each has:
// - `name`, for the command line; `fault`, what is done
// - `rounds`, and `quickRounds` with `--quick`
// - `limits`: what its figures may be at most, beside those of every drill (`judge.js`)
// - `isExpected(outcome)`: which outcomes beside success and 503 its fault explains; none, if left out
// - `unavailable()`: why it cannot be run here, if so
// - `run({ rounds, seed })`: the figures, and `faults`, what did not hold
// - `control()`: a variant that must fail, with the figure that shows it; optional
import { connectionsEnded } from './connections-ended.js'
import { connectionsExhausted, poolEmpty } from './connections-scarce.js'
import { diskFull } from './disk-full.js'
import { drain } from './drain.js'
import { networkDelayed, networkReset, networkStalled } from './network-faults.js'
import { nodeKilled } from './node-killed.js'
import { nodesStarted } from './nodes-started.js'
import { postgresFailover } from './postgres-failover.js'
import { postgresKilled } from './postgres-killed.js'
import { roleRights } from './role-rights.js'
import { rollingUpgrade } from './rolling-upgrade.js'
import { standbyLost } from './standby-lost.js'
import { standbyOnly } from './standby-only.js'

export const drills = [
  postgresKilled,
  postgresFailover,
  connectionsEnded,
  networkStalled,
  networkReset,
  networkDelayed,
  poolEmpty,
  connectionsExhausted,
  standbyOnly,
  standbyLost,
  diskFull,
  roleRights,
  nodeKilled,
  nodesStarted,
  drain,
  rollingUpgrade,
]
