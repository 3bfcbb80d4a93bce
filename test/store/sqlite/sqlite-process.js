// Writes to a database: node sqlite-process.js FILE NAME COUNT
// Adds NAME-0@example.com, NAME-1@example.com … and prints each address after its commit.
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const [file, name, count] = process.argv.slice(2)
const source = fileURLToPath(new URL('./open-without-loading.ts', import.meta.url))
const { module } = await runnerImport(source, { configFile: false, logLevel: 'error' })

const store = await module.openSqliteStore(file)
for (let i = 0; i < Number(count); i += 1) {
  const email = `${name}-${i}@example.com`
  await store.addToWaitlist({ email, createdAt: '2026-03-01T12:00:00.000Z' })
  process.stdout.write(`${email}\n`)
}
await store.close()
