// What the entry points add to a page, in bytes: bundled for a browser, minified, gzipped. `npm run bench:size`,
// with `--json` for programs.
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

/** Bytes of a module with all that it imports. */
async function sizeOf(code) {
  const entry = 'virtual:entry'
  const plugin = {
    name: 'entry',
    resolveId: (id) => (id === entry ? id : undefined),
    load: (id) => (id === entry ? code : undefined),
  }
  const bundle = await rolldown({ input: entry, platform: 'browser', plugins: [plugin], logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false })
  return gzipSync(output.map((chunk) => chunk.code ?? '').join('')).length
}

const uses = (names, from) => `import { ${names} } from '${from}'; globalThis.used = [${names}]`

const worker = await sizeOf(uses('setupWorker', 'msw/browser'))
const mock = await sizeOf(uses('startMockApi', 'dashboard-api/browser'))
const client = await sizeOf(uses('createClient', 'dashboard-api/client'))

const sizes = {
  'msw/browser alone': worker,
  'dashboard-api/browser, with msw/browser': mock,
  'dashboard-api/browser, beyond msw/browser': mock - worker,
  'dashboard-api/client': client,
}
if (process.argv.includes('--json')) console.log(JSON.stringify(sizes))
else {
  for (const [what, bytes] of Object.entries(sizes)) {
    console.log(`${what.padEnd(45)}${bytes.toLocaleString('en').padStart(8)} bytes`)
  }
}
