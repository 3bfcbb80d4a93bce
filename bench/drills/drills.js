// The drills, in the order of the report. Each is an export of a module, with:
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

const files = [
  'cross-team',
  'cookies',
  'revocation',
  'clocks',
  'wrong-clock',
  'history',
  'stale-reads',
  'writers',
  'retried-create',
  'killed-writers',
  'power-cut',
  'file-faults',
  'damaged-file',
  'backup-under-writes',
  'mock-killed',
  'postgres-faults',
  'standby-faults',
  'two-primaries',
  'backend-killed',
  'network-faults',
  'standby-mixed',
  'node-killed',
  'nodes-started',
  'rolling-upgrade',
  'slow-clients',
  'noisy-neighbour',
  'hostile-input',
  'drain',
  'long-run',
]

const modules = await Promise.all(files.map((file) => import(`./${file}.js`)))

/** A module has one drill, or some that differ in little. */
export const drills = modules.flatMap((module) => Object.values(module).filter(({ promise }) => promise))
