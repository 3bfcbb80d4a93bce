// Runs a mock in its own process, which the test kills. Arguments: the file for the state, the folder for snapshots.
import { readFileSync } from 'node:fs'
import { startDevServer } from '../../dist/mock/http/dev-server.js'
import { parseStateText } from '../../dist/store/parse-state-text.js'

const [, , persist, snapshots] = process.argv
const fixtures = await parseStateText(
  readFileSync(new URL('../../fixtures/demo.json', import.meta.url), 'utf8'),
)
const { url } = await startDevServer({ fixtures, port: 0, persist, snapshots })
process.stdout.write(`${url}\n`)
