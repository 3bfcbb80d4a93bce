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

/** Leaves out the handlers of @mswjs/data, which the mock does not use, with what they require: MSW, GraphQL and Pluralize. */
const withoutHandlers = {
  name: 'without-handlers',
  resolveId: { filter: { id: /\/generate(Rest|GraphQL)Handlers$/ }, handler: () => '\0no-handlers' },
  load: { filter: { id: /^\0no-handlers$/ }, handler: () => 'export {}' },
}

/** What @mswjs/data uses of packages that it requires. */
const usedOf = {
  'date-fns': "export { compareAsc } from 'date-fns'",
  lodash: "export { default as isFunction } from 'lodash/isFunction'",
}
/** Has @mswjs/data import that: of what is required, a bundler takes the whole. */
const importUsed = {
  name: 'import-used',
  resolveId: {
    filter: { id: /^(date-fns|lodash)$/ },
    handler: (id, _, { kind }) => (kind === 'require-call' ? `\0${id}` : undefined),
  },
  load: { filter: { id: /^\0(date-fns|lodash)$/ }, handler: (id) => usedOf[id.slice(1)] },
}

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
    external: [isOneOf(['@msw/playwright', '@playwright/test', 'msw']), /^node:/],
    platform: 'neutral',
    resolve: { mainFields: ['browser', 'module', 'main'], conditionNames: ['import', 'require', 'default'] },
    plugins: [withoutHandlers, importUsed],
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
    plugins: [withoutHandlers, importUsed],
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
