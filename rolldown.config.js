// Bundles the sources: the entries of the mock, so that a page or a test loads only what it uses, and the executable, so
// that commands start fast. What faces the network in production stays a dependency:
// users of the package see it in `npm audit` and can update it. Bundles are not minified, so that stack traces are readable.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import license from 'rollup-plugin-license'
import { sourceCommit } from './scripts/commit.js'
import { workbenchDocument } from './scripts/workbench-document.js'

const { dependencies, peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const isOneOf = (names) => new RegExp(`^(${names.join('|')})(/|$)`)

/** The output folder of a bundle, with the licences of what it contains. */
const outputTo = (dir) => ({
  dir,
  cleanDir: true,
  chunkFileNames: '[name].js',
  comments: false,
  plugins: [license({ thirdParty: { output: join(dir, 'LICENSES.txt') } })],
})

/** Leaves out the GraphQL handlers of @mswjs/data, which the mock does not use, with the package graphql. */
const withoutGraphql = {
  name: 'without-graphql',
  resolveId: { filter: { id: /\/generateGraphQLHandlers$/ }, handler: () => '\0no-graphql' },
  load: { filter: { id: /^\0no-graphql$/ }, handler: () => 'export {}' },
}

/** What @mswjs/data uses of packages that it requires whole. */
const usedOf = {
  msw: "export { http, HttpResponse } from 'msw'",
  'date-fns': "export { compareAsc } from 'date-fns'",
  lodash: "export { default as isFunction } from 'lodash/isFunction'",
}
/**
 * Has @mswjs/data import what it uses of these packages: a bundler takes the whole of what is required. webpack, too, refuses the
 * import that a bundler makes of a `require` of MSW.
 * @param externals the packages that others import from outside of the bundle
 */
const importUsed = (...externals) => ({
  name: 'import-used',
  resolveId: {
    filter: { id: new RegExp(`^(${Object.keys(usedOf).join('|')})$`) },
    handler(id, _, { kind }) {
      if (kind === 'require-call') return `\0${id}`
      return externals.includes(id) ? { id, external: true } : undefined
    },
  },
  load: {
    filter: { id: new RegExp(`^\0(${Object.keys(usedOf).join('|')})$`) },
    handler: (id) => usedOf[id.slice(1)],
  },
})

export default [
  {
    // The page of the mock. The bundles below contain it.
    input: 'workbench/main.tsx',
    platform: 'browser',
    tsconfig: 'workbench/tsconfig.json',
    resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } },
    output: {
      file: 'dist/workbench-document.js',
      minify: true,
      comments: false,
      plugins: [workbenchDocument],
    },
  },
  {
    // Without zod, whose schemas users combine with their own. As modules: whoever imports a constant loads no schema.
    input: ['src/client/client.ts', 'src/contract/index.ts'],
    external: /^zod/,
    platform: 'neutral',
    output: { ...outputTo('dist/interface'), preserveModules: true, preserveModulesRoot: 'src' },
  },
  {
    input: {
      msw: 'src/mock/msw.ts',
      browser: 'src/mock/browser.ts',
      node: 'src/mock/node.ts',
      control: 'src/mock/control.ts',
      panel: 'src/mock/panel.ts',
      playwright: 'src/mock/playwright.ts',
      'browser-in-node': 'src/mock/browser-in-node.ts',
      'node-in-browser': 'src/mock/node-in-browser.ts',
      'vite-in-browser': 'src/mock/vite-in-browser.ts',
    },
    external: [isOneOf(['@msw/playwright', '@playwright/test']), /^msw\//, /^node:/],
    platform: 'neutral',
    resolve: { mainFields: ['browser', 'module', 'main'], conditionNames: ['import', 'require', 'default'] },
    plugins: [importUsed('msw'), withoutGraphql],
    // Pluralize asks for it. Bundlers warn of a `require` that they cannot follow.
    transform: { define: { 'typeof require': '"function"' } },
    output: outputTo('dist/entries'),
  },
  {
    input: { main: 'src/cli/main.ts', vite: 'src/mock/vite.ts', server: 'src/server/server.ts' },
    // msw and zod are dependencies of the entries. The executable contains them: whole they take 120 and 45 ms to load.
    external: [
      isOneOf(
        Object.keys({ ...dependencies, ...peerDependencies }).filter(
          (name) => name !== 'msw' && name !== 'zod',
        ),
      ),
      './devtools.js',
    ],
    platform: 'node',
    // The ES modules of packages with both: no bundler follows the `require` of jsonc-parser.
    resolve: { mainFields: ['module', 'main'] },
    plugins: [importUsed(), withoutGraphql],
    transform: {
      define: {
        'process.env.SOURCE_COMMIT': JSON.stringify(sourceCommit()),
        // React and Ink without their developer tools.
        'process.env.NODE_ENV': '"production"',
        'process.env.DEV': '""',
      },
    },
    output: outputTo('dist/executable'),
  },
]
