// What packages carry and we do not use, or must not: each file with what stands in its place in a bundle.

const nothing = ''

// Of the library behind the mock's store.
const mockData = {
  // REST and GraphQL handlers of its models, with all of graphql behind them: ours come from the contract.
  '@mswjs/data/lib/model/generateRestHandlers.js': nothing,
  '@mswjs/data/lib/model/generateGraphQLHandlers.js': nothing,
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
  'debug/src/index.js': 'exports.debug = () => () => {}',
  'debug/src/browser.js': 'exports.debug = () => () => {}',
}

/** In the mock's entry points. */
export const replacedInPages = {
  ...mockData,
  // Values that refer to themselves: JSON has none.
  'zod/v4/core/memoizer.js': 'export const memoizer = () => undefined',
  // Turning schemas into JSON Schema, which no page asks for.
  'zod/v4/core/json-schema-processors.js': 'export {}',
  'zod/v4/core/to-json-schema.js': `const none = () => () => {}
    export { none as createToJSONSchemaMethod, none as createStandardJSONSchemaMethod }`,
}

const refusing = (what) => `() => { throw new Error('The executable has no ${what}.') }`

/** In the executable. */
export const replacedInExecutable = {
  ...mockData,
  // Compiling JSON schemas, with all of ajv: no route has one, zod reads what comes in.
  '@fastify/ajv-compiler/index.js': `module.exports = () => ${refusing('schemas of bodies')}`,
  '@fastify/fast-json-stringify-compiler/index.js': `module.exports = () => ${refusing('schemas of replies')}`,
  // Requests without a network, for tests.
  'light-my-request/index.js': `module.exports = ${refusing('inject()')}`,
  // Whether a plugin fits this Fastify: what is bundled was installed together.
  'semver/index.js': 'exports.satisfies = () => true',
  // The trace that a metric is an example of: it is asked for none.
  '@opentelemetry/api/dist/index.cjs': nothing,
  // Commands that are executables of their own, with what starts them, which takes 2 ms to load: none is.
  'commander/lib/command.js > node:child_process': nothing,
  // Random bytes for an id, drawn for 256 ids at once: a call for each takes 2 µs, more than all else about an id.
  'uuid/dist-node/rng.js': `const drawn = new Uint8Array(4096)
    let used = drawn.length
    export default () => {
      if (used === drawn.length) {
        crypto.getRandomValues(drawn)
        used = 0
      }
      used += 16
      return drawn.subarray(used - 16, used)
    }`,
  // React as it is in production, whatever NODE_ENV says.
  'react/index.js': "module.exports = require('./cjs/react.production.js')",
  'react/jsx-runtime.js': "module.exports = require('./cjs/react-jsx-runtime.production.js')",
  'react-reconciler/index.js': "module.exports = require('./cjs/react-reconciler.production.js')",
  'react-reconciler/constants.js':
    "module.exports = require('./cjs/react-reconciler-constants.production.js')",
  'scheduler/index.js': "module.exports = require('./cjs/scheduler.production.js')",
  // For those who work on Ink.
  'ink/build/devtools.js': nothing,
}

const fileOf = (id = '') => id.split('/node_modules/').at(-1)

/** The plugin that puts them there. `a > b` is what the file `a` alone imports as `b`. */
export const replacing = (replaced) => ({
  name: 'replacing',
  resolveId(id, importer) {
    const imported = `${fileOf(importer)} > ${id}`
    return imported in replaced ? `\0${imported}` : undefined
  },
  load(id) {
    const file = fileOf(id).replace('\0', '')
    return file in replaced ? { code: replaced[file], moduleType: 'js' } : undefined
  },
})
