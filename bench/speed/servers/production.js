// Production from the modules in `dist/`, so that a profile names each module and package.
import { readSettings } from '../../../dist/server/settings/settings.js'
import { startServer } from '../../../dist/server/start-server.js'

const [port, database] = process.argv.slice(2)
const server = await startServer(readSettings(process.env, { port, database }), { drainMs: 100 })
process.once('SIGTERM', async () => {
  await server.close()
  process.exit()
})
