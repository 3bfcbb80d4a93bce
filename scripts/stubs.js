// Package files that a bundle replaces, each with the code that stands in its place and the reason.

const empty = ''

// @mswjs/data, the library behind the mock's store.
const mockData = {
  // Copies each change to the site's other tabs. The store never lets it begin.
  '@mswjs/data/lib/extensions/sync.js': 'exports.sync = () => {}',
  // REST and GraphQL handlers for its models, with all of graphql: our handlers come from the contract.
  '@mswjs/data/lib/model/generateRestHandlers.js': empty,
  '@mswjs/data/lib/model/generateGraphQLHandlers.js': empty,
  // Date comparison, with all of date-fns: no model has a date.
  '@mswjs/data/lib/comparators/date.js': 'exports.dateComparators = {}',
  // Hashes the id of those copies.
  'md5/md5.js': 'module.exports = (text) => text',
  // Property paths: every path is an array of keys here.
  'lodash/lodash.js': "exports.isFunction = (value) => typeof value === 'function'",
  'lodash/isFunction.js': "module.exports = (value) => typeof value === 'function'",
  'lodash/get.js': 'module.exports = (object, path) => path.reduce((value, key) => value?.[key], object)',
  'lodash/set.js': `module.exports = (object, path, value) => {
    const parent = path.slice(0, -1).reduce((parent, key) => (parent[key] ??= {}), object)
    parent[path.at(-1)] = value
    return object
  }`,
  // Assertions, whose messages would need a formatter.
  'outvariant/lib/index.js': `const fail = (predicate, message) => { if (!predicate) throw Error(message) }
    exports.invariant = fail
    exports.format = (message) => message`,
  // Errors with a type: none of them is told apart.
  '@mswjs/data/lib/errors/OperationError.js': `exports.OperationErrorType = {}
    exports.OperationError = class extends Error {
      constructor(_, message) { super(message) }
    }`,
  // The text of a query for debug output.
  '@mswjs/data/lib/utils/safeStringify.js': 'exports.safeStringify = () => ""',
  // Comparators of numbers and booleans: every query compares texts.
  '@mswjs/data/lib/comparators/number.js': 'exports.numberComparators = {}',
  '@mswjs/data/lib/comparators/boolean.js': 'exports.booleanComparators = {}',
  // Change events: nothing listens to them.
  'strict-event-emitter/lib/index.js': 'exports.Emitter = class { emit() {} }',
  // Relations between models, sorting and paging: the store uses none of them.
  '@mswjs/data/lib/relations/Relation.js': 'exports.Relation = class {}',
  '@mswjs/data/lib/model/defineRelationalProperties.js': 'exports.defineRelationalProperties = () => {}',
  '@mswjs/data/lib/query/sortResults.js': 'exports.sortResults = () => {}',
  '@mswjs/data/lib/query/paginateResults.js': 'exports.paginateResults = (query, results) => results',
}

const debug = 'exports.debug = () => () => {}'

/** Stubs of the mock's entry points: they keep pages small. */
export const entryStubs = {
  ...mockData,
  // Debug output of @mswjs/data.
  'debug/src/browser.js': debug,
  // Messages of programming errors in @mswjs/data: each placeholder is replaced alike.
  'outvariant/lib/index.js': `exports.format = (message, ...values) => message.replace(/%[sdj]/g, () => String(values.shift()))
    exports.invariant = (holds, ...message) => { if (!holds) throw new Error(exports.format(...message)) }`,
  // Support for values that refer to themselves: JSON has none.
  'zod/v4/core/memoizer.js': 'export const memoizer = () => undefined',
  // Conversion of schemas to JSON Schema: no page needs it.
  'zod/v4/core/json-schema-processors.js': 'export {}',
  'zod/v4/core/to-json-schema.js': `const none = () => () => {}
    export { none as createToJSONSchemaMethod, none as createStandardJSONSchemaMethod }`,
}

/** Stubs of the executable: they let commands start fast. */
export const executableStubs = {
  ...mockData,
  // Commander loads this module, which takes 2 ms, to start commands that are executables of their own. We have none.
  'commander/lib/command.js > node:child_process': empty,
  // A development tool for Ink itself, with a WebSocket server.
  'ink/build/devtools.js': empty,
}

const packageFile = (id = '') => id.split('/node_modules/').at(-1)

/**
 * A plugin that puts stubs in the place of package files. The key `a > b` replaces the module `b` where the file `a`
 * imports it. A stub that replaces nothing fails the build.
 */
export function stubbing(stubs) {
  const unused = new Set(Object.keys(stubs))
  return {
    name: 'stubbing',
    resolveId(id, importer) {
      const imported = `${packageFile(importer)} > ${id}`
      return imported in stubs ? `\0${imported}` : undefined
    },
    load(id) {
      const file = packageFile(id).replace('\0', '')
      if (!(file in stubs)) return undefined
      unused.delete(file)
      return { code: stubs[file], moduleType: 'js' }
    },
    buildEnd() {
      if (unused.size > 0) this.error(`Stubs that replace no file: ${[...unused].join(', ')}`)
    },
  }
}

/** React without its checks for developers, whatever NODE_ENV is when a command runs. */
export const productionReact = {
  name: 'production-react',
  transform: {
    filter: { id: /node_modules.(react|react-reconciler|scheduler)./ },
    handler: (code) => ({ code: code.replaceAll('process.env.NODE_ENV', '"production"'), map: null }),
  },
}
