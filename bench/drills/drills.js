// The drills, in the order of the report. Each is a module with:
// - `name`, for the command line; `promise`; `fault`, what is done; `target`, the figure to reach
// - `rounds`, and `quickRounds` with `--quick`: how often, or for how long, in a unit of the drill's own.
//   With 0 the quick form leaves it out
// - `needsPostgres`: it is skipped where there is none; `unavailable()`: another reason why it cannot be made here
// - `isBackground`: it lasts while the others are made. `isAlone`: its figures are times or memory, so that the quick form,
//   which makes several drills side by side, makes it by itself
// - `run({ rounds, seed, isQuick, signal })`: resolves with `figure`, a sentence, and `faults`, what did not hold, each with what
//   repeats it. A drill in the background goes on until `signal` is aborted, and for `rounds` at least
// - `control({ seed, isQuick })`: a variant that must fail, and whether it did (`isCaught`), with its `figure`; optional.
//   `hasQuickControl`: it is cheap, and the quick form makes it too
// A drill runs in a process of its own (`make-drill.js`). What it leaves in the folder for temporary files is removed, and
// processes that it started are ended.

import { backendKilled } from './backend-killed.js'
import { backupUnderWrites } from './backup-under-writes.js'
import { clocks } from './clocks.js'
import { cookies } from './cookies.js'
import { crossTeam, crossTeamTimingPostgres, crossTeamTimingSqlite } from './cross-team.js'
import { damagedFile } from './damaged-file.js'
import { drain } from './drain.js'
import { fileFaults } from './file-faults.js'
import { historyPostgres, historySqlite } from './history.js'
import { hostileInput, hostileInputToMock } from './hostile-input.js'
import { killedOverPostgres, killedOverSqlite } from './killed-writers.js'
import { longRun } from './long-run.js'
import { mockKilled } from './mock-killed.js'
import { networkDelayed, networkReset, networkStalled } from './network-faults.js'
import { nodeKilled } from './node-killed.js'
import { nodesStarted } from './nodes-started.js'
import { noisyNeighbourPostgres, noisyNeighbourSqlite } from './noisy-neighbour.js'
import {
  connectionsEnded,
  connectionsExhausted,
  diskFull,
  poolEmpty,
  postgresKilled,
  roleRights,
} from './postgres-faults.js'
import { powerCut } from './power-cut.js'
import { retriedCreate } from './retried-create.js'
import { revocationPostgres, revocationSqlite } from './revocation.js'
import { rollingUpgrade } from './rolling-upgrade.js'
import { slowClients } from './slow-clients.js'
import { staleReads } from './stale-reads.js'
import { postgresFailover, standbyLost, standbyOnly } from './standby-faults.js'
import { standbyMixed } from './standby-mixed.js'
import { twoPrimaries } from './two-primaries.js'
import { underLoad } from './under-load.js'
import { writersAtOnce } from './writers.js'
import { wrongClockPostgres, wrongClockSqlite } from './wrong-clock.js'

export const drills = [
  crossTeam,
  crossTeamTimingSqlite,
  crossTeamTimingPostgres,
  cookies,
  revocationSqlite,
  revocationPostgres,
  clocks,
  wrongClockSqlite,
  wrongClockPostgres,
  historySqlite,
  historyPostgres,
  staleReads,
  writersAtOnce,
  retriedCreate,
  killedOverSqlite,
  killedOverPostgres,
  powerCut,
  fileFaults,
  damagedFile,
  backupUnderWrites,
  mockKilled,
  postgresKilled,
  postgresFailover,
  twoPrimaries,
  backendKilled,
  connectionsEnded,
  networkStalled,
  networkReset,
  networkDelayed,
  poolEmpty,
  connectionsExhausted,
  standbyOnly,
  standbyLost,
  standbyMixed,
  diskFull,
  roleRights,
  nodeKilled,
  underLoad(nodesStarted),
  underLoad(rollingUpgrade),
  slowClients,
  noisyNeighbourSqlite,
  noisyNeighbourPostgres,
  hostileInput,
  hostileInputToMock,
  drain,
  longRun,
]
