/** The rooms of src to mutate, each by its own tests: all, or those that MUTATION names, e.g. `MUTATION=store npm run mutation`. */
export const mutatedRooms = (process.env.MUTATION ?? 'handlers,contract,store,server').split(',')

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts' },
  mutate: mutatedRooms.map((room) => `src/${room}/**/*.ts`),
  coverageAnalysis: 'perTest',
  // Mutants that run when a module is imported would each need all tests in a new process.
  ignoreStatic: true,
  // A copy of the project would need the compiler API that TypeScript 7 no longer has. Stryker restores the files,
  // from .stryker-tmp after a crash: commit first.
  inPlace: true,
  disableTypeChecks: false,
  reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
  clearTextReporter: { allowColor: false, reportTests: false, logTests: false },
}
