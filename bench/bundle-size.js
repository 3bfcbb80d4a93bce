// Measures the bytes that each entry point adds to a page: bundled for a browser, minified and gzipped. `npm run bench:size`;
// `-- --json` prints JSON.
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

/** The size of a module with all its imports, in bytes; with `atFirst`, without its dynamic imports. */
async function sizeOf(code, { atFirst = false } = {}) {
  const entry = 'virtual:entry'
  const plugin = {
    name: 'entry',
    resolveId: (id) => (id === entry ? id : undefined),
    load: (id) => (id === entry ? code : undefined),
  }
  const bundle = await rolldown({ input: entry, platform: 'browser', plugins: [plugin], logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: atFirst })
  const loaded = new Set(output.slice(0, atFirst ? 1 : undefined))
  // The loop also visits chunks that are added while it runs.
  for (const { imports = [] } of loaded) {
    for (const chunk of output) if (imports.includes(chunk.fileName)) loaded.add(chunk)
  }
  return gzipSync([...loaded].map(({ code = '' }) => code).join('')).length
}

const importing = (names, from) => `import { ${names} } from '${from}'; globalThis.used = [${names}]`

const worker = await sizeOf(importing('setupWorker', 'msw/browser'))
const starting = importing('startMockApi', 'dashboard-api/browser')
const mock = await sizeOf(starting)
const started = await sizeOf(starting, { atFirst: true })
const panel = importing('mockPanel', 'dashboard-api/panel')
const both = `${panel}; import { startMockApi } from 'dashboard-api/browser'; globalThis.started = startMockApi`
const launcher = await sizeOf(panel, { atFirst: true })
const client = await sizeOf(importing('createClient', 'dashboard-api/client'))

const sizes = {
  'msw/browser alone': worker,
  'dashboard-api/browser, with msw/browser': started,
  'dashboard-api/browser, beyond msw/browser': started - worker,
  'dashboard-api/browser, loaded later': mock - started,
  'dashboard-api/panel, the launcher': launcher,
  'the workbench, when it is opened': (await sizeOf(both)) - mock - launcher,
  'dashboard-api/client': client,
}
if (process.argv.includes('--json')) console.log(JSON.stringify(sizes))
else {
  for (const [name, bytes] of Object.entries(sizes)) {
    console.log(`${name.padEnd(45)}${bytes.toLocaleString('en').padStart(8)} bytes`)
  }
}
