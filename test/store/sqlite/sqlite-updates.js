// Commits repeatedly: node sqlite-updates.js FILE TEAM PROJECT COUNT
// Sets the project's status to 1, 2 … 20 times a second, and prints each number after its commit.
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runnerImport } from 'vite'

const [file, teamId, projectId, count] = process.argv.slice(2)
const source = fileURLToPath(new URL('./open-without-loading.ts', import.meta.url))
const { module } = await runnerImport(source, { configFile: false, logLevel: 'error' })

const store = await module.openSqliteStore(file)
for (let i = 1; i <= Number(count); i += 1) {
  await store.updateProject(teamId, projectId, { status: String(i) })
  process.stdout.write(`${i}\n`)
  await setTimeout(50)
}
await store.close()
