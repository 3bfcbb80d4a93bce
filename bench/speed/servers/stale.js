// A server that is wrong: it keeps each answer for a time, whatever is committed meanwhile.
import { createServer } from 'node:http'
import { openSqliteStore } from '../../../dist/store/sqlite/sqlite-store.js'
import { projectOf } from '../world.js'

const [port, database, keepMs] = process.argv.slice(2)
const store = await openSqliteStore(database)
const { teamId } = projectOf(0, 0)
let kept

async function answer() {
  if (!(kept?.until > performance.now())) {
    kept = {
      until: performance.now() + Number(keepMs),
      body: store.listProjects(teamId).then(JSON.stringify),
    }
  }
  return kept.body
}

createServer(async (_, response) => {
  const body = await answer()
  response.writeHead(200, { 'content-length': Buffer.byteLength(body) }).end(body)
}).listen(Number(port), '127.0.0.1')
