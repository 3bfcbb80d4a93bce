// A server that caches its response for a fixed time, without regard to commits.
import { createServer } from 'node:http'
import { openStore } from '../../../dist/store/open/open-store.js'
import { projectOf } from '../dataset.js'

const [port, database, ttlMs] = process.argv.slice(2)
const store = await openStore({ kind: 'sqlite', name: database, file: database })
const { teamId } = projectOf(0, 0)
let cached

async function listProjects() {
  if (!(cached?.expiresAt > performance.now())) {
    cached = {
      expiresAt: performance.now() + Number(ttlMs),
      body: store.listProjects(teamId).then(JSON.stringify),
    }
  }
  return cached.body
}

createServer(async (_, response) => {
  const body = await listProjects()
  response.writeHead(200, { 'content-length': Buffer.byteLength(body) }).end(body)
}).listen(Number(port), '127.0.0.1')
