// Opens a database to read it: node reading-process.js FILE
// Prints "opened", waits for a line, closes the database, and prints "closed" or the error.
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const [file] = process.argv.slice(2)
const source = fileURLToPath(new URL('../../../src/store/sqlite/connection.ts', import.meta.url))
const { module } = await runnerImport(source, { configFile: false, logLevel: 'error' })

const connection = await module.openReadOnly(file, 1000).catch(({ message }) => {
  process.stdout.write(`${message}\n`)
  process.exit()
})
process.stdout.write('opened\n')
await once(process.stdin, 'data')
await connection.close().then(
  () => process.stdout.write('closed\n'),
  ({ message }) => process.stdout.write(`${message}\n`),
)
process.exit()
