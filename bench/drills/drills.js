// The drills, in the order of the report. Each is data, an export of a module, with:
// - `name`, for the command line; `promise`; `fault`, a description of the fault; `target`, the figure to reach
// - `rounds`, and `quickRounds` with `--quick`: the number of repetitions, in a unit of the drill
// - `run({ rounds, seed, random, isQuick })`: makes the fault, and resolves with counts, times in ms, and `faults`, a list of other
//   failures in words. `random` makes choices that the seed repeats. A `figure` replaces the sentence that is made of the counts
// - `mustBeZero`: the counts (or lists) that have to be 0 (or empty), each with a name for the report; `mustNotBeZero`: the counts
//   that would show that nothing was tried; `limits`: the longest times, in ms. `judge.js` applies them
// - `controls`: variants that must fail: `fault` describes the defect; `caught` names the counts that show it; the rest are options
//   for `run`. `hasQuickControl`: the controls are cheap, and `--quick` runs them too
// - `needsPostgres`: the drill is skipped where there is no PostgreSQL; `unavailable()`: another reason to skip it
// - `isAlone`: its figures are times or memory, so that `--quick` does not run it beside other drills
// Each drill runs in a separate process (`run-drill.js`). Afterwards its temporary files are removed, and its processes ended.

const files = [
  'history',
  'retried-create',
  'killed-writers',
  'power-cut',
  'data-folder',
  'backup-under-writes',
  'mock-killed',
  'nodes',
  'postgres-faults',
  'noisy-neighbour',
  'hostile-input',
  'drain',
]

const modules = await Promise.all(files.map((file) => import(`./${file}.js`)))

/** A module exports one drill, or a list of similar ones. */
export const drills = modules.flatMap((module) =>
  Object.values(module)
    .flat()
    .filter(({ promise }) => promise),
)
