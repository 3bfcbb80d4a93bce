// Copies a database, and waits before the copy is complete: node copying-process.js SOURCE TARGET
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const [source, target] = process.argv.slice(2)
const file = fileURLToPath(new URL('../../../src/store/sqlite/copy-database.ts', import.meta.url))
const { module } = await runnerImport(file, { configFile: false, logLevel: 'error' })

const prepare = () => {
  process.stdout.write('copied\n')
  return new Promise((resolve) => setTimeout(resolve, 60_000))
}
await module.withCopy(source, target, 1000, () => {}, prepare)
