// A node with a defect, for the control of `drain.js`: when it stops, it closes idle connections at once.
import { parseArgs } from 'node:util'
import { readSettings } from '../../dist/server/settings/settings.js'
import { startServer } from '../../dist/server/start-server.js'

const { values } = parseArgs({
  allowPositionals: true,
  options: { port: { type: 'string' }, json: { type: 'boolean' } },
})
const { url, close } = await startServer(readSettings(process.env, { port: values.port }), { idleGraceMs: 0 })
console.log(JSON.stringify({ url }))
process.once('SIGTERM', close)
