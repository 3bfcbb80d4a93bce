/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
  plugins: ['@stryker-mutator/vitest-runner'],
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutation.config.ts' },
  // All of it, or the folders that MUTATION names: `MUTATION=store,server/http npm run mutation`. The OpenAPI document is
  // made when it is imported, and compared as a whole with openapi.json.
  mutate: [
    ...(process.env.MUTATION ?? 'handlers,contract,store,node-server,server')
      .split(',')
      .map((folder) => `src/${folder}/**/*.ts`),
    '!src/contract/openapi*.ts',
  ],
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
