// Bundles the mock's entry points, so that a page or a test loads only what runs in them.
// What they are made of, and under which licences, is written beside them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const out = new URL('../dist/entries/', import.meta.url).pathname

// What the packages carry and the mock does not use, or must not.
const replaced = {
  // REST and GraphQL handlers of its models, with all of graphql behind them: ours come from the contract.
  '@mswjs/data/lib/model/generateRestHandlers.js': '',
  '@mswjs/data/lib/model/generateGraphQLHandlers.js': '',
  // Comparing dates, with all of date-fns: no model has a date.
  '@mswjs/data/lib/comparators/date.js': 'exports.dateComparators = {}',
  // Copying each change to the site's other tabs: a tab that opens and loads its fixtures would undo there what
  // has been changed since.
  '@mswjs/data/lib/extensions/sync.js': 'exports.sync = () => {}',
  // The id by which those copies are told apart.
  'md5/md5.js': 'module.exports = (text) => text',
  // Reading and setting by path: here each path is an array of keys.
  'lodash/lodash.js': "exports.isFunction = (value) => typeof value === 'function'",
  'lodash/isFunction.js': "module.exports = (value) => typeof value === 'function'",
  'lodash/get.js': 'module.exports = (object, path) => path.reduce((value, key) => value?.[key], object)',
  'lodash/has.js': `module.exports = (object, path) =>
    path.reduce((value, key) => value?.[key], object) !== undefined`,
  'lodash/set.js': `module.exports = (object, path, value) => {
    const parent = path.slice(0, -1).reduce((at, key) => (at[key] ??= {}), object)
    parent[path.at(-1)] = value
    return object
  }`,
  // Telling others of changes: nobody listens.
  'strict-event-emitter/lib/index.js': 'exports.Emitter = class { emit() {} }',
  // Relations between models, orders and pages of results: the store asks for none.
  '@mswjs/data/lib/relations/Relation.js': 'exports.Relation = class {}',
  '@mswjs/data/lib/model/defineRelationalProperties.js': 'exports.defineRelationalProperties = () => {}',
  '@mswjs/data/lib/query/sortResults.js': 'exports.sortResults = () => {}',
  '@mswjs/data/lib/query/paginateResults.js': 'exports.paginateResults = (query, results) => results',
  // Values that refer to themselves: JSON has none.
  'zod/v4/core/memoizer.js': 'export const memoizer = () => undefined',
  // Turning schemas into JSON Schema, which no page asks for.
  'zod/v4/core/json-schema-processors.js': 'export {}',
  'zod/v4/core/to-json-schema.js': `const none = () => () => {}
    export { none as createToJSONSchemaMethod, none as createStandardJSONSchemaMethod }`,
  'debug/src/index.js': 'exports.debug = () => () => {}',
  'debug/src/browser.js': 'exports.debug = () => () => {}',
}
const replace = {
  name: 'replace-unused',
  load(id) {
    const file = id.split('/node_modules/').at(-1)
    return file in replaced ? { code: replaced[file], moduleType: 'js' } : undefined
  },
}

const bundle = await rolldown({
  input: { msw: 'dist/mock/msw.js', browser: 'dist/mock/browser.js', node: 'dist/mock/node.js' },
  external: [/^msw(\/|$)/, /^node:/],
  platform: 'neutral',
  resolve: { mainFields: ['browser', 'module', 'main'], conditionNames: ['import', 'require', 'default'] },
  plugins: [replace],
  // The emptied modules lack names that only what was removed would use.
  shimMissingExports: true,
  onLog: (level, log, report) => log.code === 'SHIMMED_EXPORT' || report(level, log),
})
const { output } = await bundle.write({
  dir: out,
  format: 'esm',
  sourcemap: true,
  chunkFileNames: '[name].js',
})

const packages = new Set()
for (const chunk of output) {
  for (const id of chunk.moduleIds ?? []) {
    const folder = id.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0]
    if (folder) packages.add(folder)
  }
}
const notices = [...packages].sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
  const text = file ? readFileSync(join(folder, file), 'utf8').trim() : 'No licence file in the package.'
  return `${name}@${version} (${license})\n\n${text}`
})
writeFileSync(join(out, 'LICENSES.txt'), notices.join(`\n${'-'.repeat(80)}\n`))
