// Bundles the mock's entry points, so that a page or a test loads only what it uses, and the executable, so that
// commands start fast. Everything that faces the network in production stays a dependency of its own: users
// of the package see it in `npm audit` and can update it. What is bundled is listed beside each bundle: the
// licences in LICENSES.txt, the bill of materials in bom.cdx.json.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { billOfMaterials, licenseTexts, packagesIn } from './bundled-packages.js'
import { sourceCommit } from './commit.js'
import { inlineFacades } from './inline-facades.js'
import { entryStubs, executableStubs, productionReact, stubbing } from './stubs.js'
import { workbenchDocument } from './workbench-document.js'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const owner = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

// Both bundles have it, for a page whose mock runs in it.
const html = await workbenchDocument()
writeFileSync(join(dist, 'workbench-document.js'), `export default ${JSON.stringify(html)}\n`)

const isOneOf = (names) => new RegExp(`^(${names.join('|')})(/|$)`)

// Dependencies for the entry points and their types, which the executable bundles: whole they take 45 ms (zod, with
// its texts in all languages) and 120 ms (msw) to load.
const bundledInExecutable = ['msw', 'zod']
const installed = [...Object.keys(owner.dependencies), ...Object.keys(owner.peerDependencies)]

async function bundle(folder, input, output) {
  const dir = join(dist, folder)
  const bundled = await rolldown({
    ...input,
    // Modules that import something from a stub, and use it only in what the stub removes.
    shimMissingExports: true,
    onLog: (level, log, report) => log.code === 'SHIMMED_EXPORT' || report(level, log),
  })
  const { output: all } = await bundled.generate({ ...output, format: 'esm', chunkFileNames: '[name].js' })
  const packages = packagesIn(all)
  const chunks = inlineFacades(all.filter(({ type }) => type === 'chunk'))
  mkdirSync(dir, { recursive: true })
  for (const { fileName, code } of chunks) writeFileSync(join(dir, fileName), code)
  if (packages.length > 0) {
    writeFileSync(join(dir, 'LICENSES.txt'), licenseTexts(packages))
    writeFileSync(join(dir, 'bom.cdx.json'), JSON.stringify(billOfMaterials(packages, owner), undefined, 2))
  }
  return chunks
}

// Without zod, whose schemas users combine with their own.
await bundle('interface', {
  input: { client: 'dist/client/client.js', contract: 'dist/contract/index.js' },
  external: /^zod/,
  platform: 'neutral',
})

await bundle('entries', {
  input: {
    msw: 'dist/mock/msw.js',
    browser: 'dist/mock/browser.js',
    node: 'dist/mock/node.js',
    control: 'dist/mock/control.js',
    panel: 'dist/mock/panel.js',
    playwright: 'dist/mock/playwright.js',
  },
  external: [isOneOf(['msw', '@msw/playwright', '@playwright/test']), /^node:/],
  platform: 'neutral',
  resolve: { mainFields: ['browser', 'module', 'main'], conditionNames: ['import', 'require', 'default'] },
  plugins: [stubbing(entryStubs)],
})

const chunks = await bundle(
  'executable',
  {
    input: { main: 'src/cli/main.ts', vite: 'src/mock/vite.ts' },
    external: isOneOf(installed.filter((name) => !bundledInExecutable.includes(name))),
    platform: 'node',
    resolve: {
      extensionAlias: { '.js': ['.ts', '.tsx', '.js'] },
      // Its main file loads its parts with a `require` that no bundler follows.
      alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    },
    transform: { define: { 'process.env.SOURCE_COMMIT': JSON.stringify(sourceCommit()) } },
    plugins: [stubbing(executableStubs), productionReact],
  },
  {
    comments: false,
    sourcemap: true,
    codeSplitting: {
      groups: [
        // What every command line needs, and the small modules that commands share, in one file.
        {
          name: 'command-line',
          test: /src.(contract.host|server.settings.http-url|verify.cases.test-data|cli.(main|options|signals|define-command|mock-or-database|(file|listen)-failure|write-atomically|output.(show|progress|pluralize|confirm|detail-lines)|mock.(control-mock|print-or-write)|production.(open-database|normalize-email|find-|listed-session|store-command|confirm-removal|check-columns|waitlist-filter|parse-time)))/,
          priority: 2,
        },
        // What both modes use.
        {
          name: 'interface',
          test: /src.(contract|handlers|pages|store.(state-file|record-fields))|node_modules.zod./,
          priority: 1,
        },
        // What is used together anyway.
        { name: 'open-store', test: /src.store.open/ },
        { name: 'check-file', test: /src.store.sqlite.check/ },
        { name: 'migrate', test: /src.store.sqlite.(migrate|back-up)/ },
        { name: 'store-records', test: /src.store.(audit-log|check-report|sql.(audit|state))\./ },
        { name: 'setting-warnings', test: /src.server.settings.(setting-warnings|unknown-variables)/ },
        { name: 'terminal', test: /src.cli.(output.(text|table)|terminal.(live|list|pager))\./ },
        {
          name: 'mock-words',
          test: /src.mock.(core.(control-error|custom-response|explain|forced-text|js-literal)|http.(control-endpoints|handlers-error|watch-files))\./,
        },
        { name: 'sessions', test: /src.server.sessions/ },
        { name: 'cases', test: /src.verify.(cases|runner)/ },
      ],
    },
  },
)

// For stack traces: what lies in which line of which source, in one file that is read when a stack trace is printed. Of
// packages it has the names alone.
const maps = chunks.map(({ fileName, map }) => [fileName, map && withoutPackages(map)])
writeFileSync(join(dist, 'executable/maps.json'), JSON.stringify(Object.fromEntries(maps)))

function withoutPackages({ version, sources, mappings }) {
  const isPackage = sources.every((source) => source.includes('node_modules'))
  return { version, sources, names: [], mappings: isPackage ? '' : mappings }
}
