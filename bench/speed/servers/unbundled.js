// Production from the modules that the executable is bundled of: a profile of it names them, and their packages.
import { readSettings } from '../../../dist/server/settings/settings.js'
import { startServer } from '../../../dist/server/start-server.js'

const [port, database] = process.argv.slice(2)
const server = await startServer(readSettings(process.env, { port, database }), { drainMs: 100 })
process.once('SIGTERM', async () => {
  await server.close()
  process.exit()
})
