// Bundles the mock's entry points, so that a page or a test loads only what it uses, and the executable, so that
// commands start fast. Everything that faces the network in production stays a dependency of its own: users
// of the package see it in `npm audit` and can update it. What is bundled is listed beside each bundle: the
// licences in LICENSES.txt, the bill of materials in bom.cdx.json.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { esmExternalRequirePlugin } from 'rolldown/plugins'
import { minifySync } from 'rolldown/utils'
import { billOfMaterials, licenseTexts, packagesIn } from './bundled-packages.js'
import { sourceCommit } from './commit.js'
import { inlineFacades } from './inline-facades.js'
import { workbenchDocument } from './workbench-document.js'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const owner = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

// Both bundles have it, for a page whose mock runs in it.
const html = await workbenchDocument()
writeFileSync(join(dist, 'workbench-document.js'), `export default ${JSON.stringify(html)}\n`)

/** React and Ink without their tools for developers, whatever the environment is when a command runs. */
const productionReact = {
  name: 'production-react',
  transform: {
    filter: { id: /node_modules.(ink|react|react-reconciler|scheduler)./ },
    handler: (code) => ({
      code: code.replaceAll('process.env.NODE_ENV', '"production"').replaceAll("process.env['DEV']", '""'),
      map: null,
    }),
  },
}

const isOneOf = (names) => new RegExp(`^(${names.join('|')})(/|$)`)

// Dependencies for the entry points and their types, which the executable bundles: whole they take 45 ms (zod, with
// its texts in all languages) and 120 ms (msw) to load.
const bundledInExecutable = ['msw', 'zod']
const installed = [...Object.keys(owner.dependencies), ...Object.keys(owner.peerDependencies)]

async function bundle(folder, input, output) {
  const dir = join(dist, folder)
  const bundled = await rolldown(input)
  const { output: all } = await bundled.generate({ ...output, format: 'esm', chunkFileNames: '[name].js' })
  const packages = packagesIn(all)
  const chunks = inlineFacades(all.filter(({ type }) => type === 'chunk'))
  mkdirSync(dir, { recursive: true })
  for (const { fileName, code, moduleIds } of chunks) {
    const isOwn = moduleIds.some((id) => !/^(\0|builtin:)|node_modules/.test(id))
    writeFileSync(join(dir, fileName), isOwn ? code : minifiedPackages(fileName, code, moduleIds))
  }
  if (packages.length > 0) {
    writeFileSync(join(dir, 'LICENSES.txt'), licenseTexts(packages))
    writeFileSync(join(dir, 'bom.cdx.json'), JSON.stringify(billOfMaterials(packages, owner), undefined, 2))
  }
}

/** The code of packages only, minified, with the names of the packages in a comment. */
function minifiedPackages(fileName, code, moduleIds) {
  const names = packagesIn([{ moduleIds }]).map(({ name, version }) => `${name}@${version}`)
  return `// Packages: ${names.join(', ')}\n${minifySync(fileName, code).code}`
}

// Without zod, whose schemas users combine with their own.
await bundle('interface', {
  input: { client: 'dist/client/client.js', contract: 'dist/contract/index.js' },
  external: /^zod/,
  platform: 'neutral',
})

/** What holds the data of the mock, with all that it brings: it is large, and loaded beside the rest. */
const mockData = { name: 'mock-data', test: /node_modules.(@mswjs.data|date-fns|graphql|lodash|pluralize)./ }
const records = { name: 'new-records', test: /mock.core.(new-records|record-query)\./ }

await bundle(
  'entries',
  {
    input: {
      msw: 'dist/mock/msw.js',
      browser: 'dist/mock/browser.js',
      node: 'dist/mock/node.js',
      control: 'dist/mock/control.js',
      panel: 'dist/mock/panel.js',
      playwright: 'dist/mock/playwright.js',
    },
    external: [isOneOf(['@msw/playwright', '@playwright/test']), /^node:/],
    platform: 'neutral',
    resolve: { mainFields: ['browser', 'module', 'main'], conditionNames: ['import', 'require', 'default'] },
    // @mswjs/data requires it.
    plugins: [esmExternalRequirePlugin({ external: [isOneOf(['msw'])] })],
  },
  { comments: false, codeSplitting: { groups: [mockData] } },
)

await bundle(
  'executable',
  {
    input: { main: 'src/cli/main.ts', vite: 'src/mock/vite.ts', server: 'src/server/server.ts' },
    external: [isOneOf(installed.filter((name) => !bundledInExecutable.includes(name))), './devtools.js'],
    platform: 'node',
    resolve: {
      extensionAlias: { '.js': ['.ts', '.tsx', '.js'] },
      alias: {
        // Its main file loads its parts with a `require` that no bundler follows.
        'jsonc-parser': 'jsonc-parser/lib/esm/main.js',
        // MSW imports it, @mswjs/data requires it: without this it is there twice.
        graphql: 'graphql/index.mjs',
      },
    },
    transform: { define: { 'process.env.SOURCE_COMMIT': JSON.stringify(sourceCommit()) } },
    plugins: [productionReact],
  },
  {
    comments: false,
    codeSplitting: {
      groups: [
        // What every command line needs, and the small modules that commands share, in one file.
        {
          name: 'command-line',
          test: /src.(contract.host|store.close-after|server.settings.http-url|conformance.callers|cli.(main|options|signals|define-command|mock-or-database|files|generate.is-generated|output.(show|progress|pluralize|confirm|detail-lines)|production.(open-database|find-|store-command|check-columns|parse-time)))/,
          priority: 2,
        },
        // What both modes use.
        {
          name: 'interface',
          test: /src.(contract|handlers|pages|store.(state-file|record-fields))/,
          priority: 1,
        },
        // What is used together anyway.
        mockData,
        records,
        // Packages in chunks of their own are minified.
        { name: 'zod', test: /node_modules.zod./, priority: 3 },
        { name: 'ink', test: /node_modules.ink./, priority: 3 },
        { name: 'open-store', test: /src.store.open/ },
        { name: 'check-file', test: /src.store.sqlite.(check|file-identity)/ },
        { name: 'migrate', test: /src.store.sqlite.(migrate|copy-database)/ },
        { name: 'store-records', test: /src.store.(audit-log|sql.(audit|state|check-content))\./ },
        { name: 'setting-warnings', test: /src.server.settings.(setting-warnings|unknown-variables)/ },
        { name: 'terminal', test: /src.cli.(output.(text|table)|terminal.(live|list|pager))\./ },
        {
          name: 'mock-words',
          test: /src.(mock.(core.(control-error|custom-response|explain|forced-text|js-literal|log-entry)|http.(control-endpoints|handlers-error|watch-files))|store.memory.record-changes)\./,
        },
        { name: 'write-file', test: /src.store.(coalesce|replace-file|memory.next-turn)\./ },
        { name: 'read-state-file', test: /src.(cli.read-state-file|store.parse-state-text)\./ },
        { name: 'small-commands', test: /src.cli.(completion|openapi)-command\./ },
        { name: 'control-client', test: /src.mock.http.control-client\./ },
        { name: 'log-details', test: /src.mock.core.(log-details|har)\./ },
        { name: 'sessions', test: /src.server.sessions/ },
        { name: 'cases', test: /src.conformance.(?!callers)/ },
      ],
    },
  },
)
