// The drills, in the order of the report. Each is data, an export of a module, with:
// - `name`, for the command line; `promise`; `fault`, what is done; `target`, the figure to reach
// - `rounds`, and `quickRounds` with `--quick`: how often, or for how long, in a unit of the drill's own
// - `make({ rounds, seed, random, isQuick })`: makes it, with choices that the seed repeats, and resolves with counts, times in ms,
//   and `faults`: what else did not hold, each with what repeats it. A `figure` of its own takes the place of the sentence that is
//   made of the counts
// - `none`: which counts (or lengths of lists) have to be 0, each with what it is of, in words; `some`: which may not be, since
//   nothing was tried then; `limits`: how long times may be at most. `judge.js` judges by them
// - `controls`: variants that must fail: `fault`, what is wrong; `caught`, which counts show it; the rest are options for `make`.
//   `hasQuickControl`: they are cheap, and the quick form makes them too
// - `needsPostgres`: it is skipped where there is none; `unavailable()`: another reason why it cannot be made here
// - `isAlone`: its figures are times or memory, so that the quick form, which makes several drills side by side, makes it by itself
// A drill runs in a process of its own (`make-drill.js`). What it leaves in the folder for temporary files is removed, and
// processes that it started are ended.

const files = [
  'history',
  'retried-create',
  'killed-writers',
  'power-cut',
  'backup-under-writes',
  'mock-killed',
  'nodes',
  'postgres-faults',
  'noisy-neighbour',
  'hostile-input',
  'drain',
]

const modules = await Promise.all(files.map((file) => import(`./${file}.js`)))

/** A module has one drill, or some that differ in little. */
export const drills = modules.flatMap((module) =>
  Object.values(module)
    .flat()
    .filter(({ promise }) => promise),
)
