/**
 * The pieces of a run, by their folders below src; each takes at most twenty minutes on two processors:
 * `MUTATION=store/sql npm run mutation`. Several are separated by commas.
 */
export const pieces = [
  'contract',
  'handlers',
  'http',
  'server/cache,server/sessions',
  'server/http',
  'server/observability',
  'server/settings',
  'server/sign-in',
  'store/memory',
  'store/sql',
  'store/sqlite',
]

const piece = process.env.MUTATION
if (!piece)
  throw new Error(`Name a piece, such as MUTATION=handlers npm run mutation. There are: ${pieces.join(' ')}`)

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts' },
  // The OpenAPI document is made when it is imported, and compared as a whole with openapi.json.
  mutate: [...piece.split(',').map((folder) => `src/${folder}/**/*.ts`), '!src/contract/openapi*.ts'],
  // Texts are for readers: messages, log lines, descriptions.
  mutator: { excludedMutations: ['StringLiteral'] },
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
