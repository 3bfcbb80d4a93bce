// Runs a mock in a separate process. For each message it collects garbage, and sends its memory in bytes.
import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startDevServer } from '../../dist/mock/http/dev-server.js'
import { parseStateText } from '../../dist/store/parse-state-text.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')
const fixtures = await parseStateText(
  readFileSync(new URL('../../fixtures/demo.json', import.meta.url), 'utf8'),
)
const { url } = await startDevServer({ fixtures, port: 0 })
process.send({ url })
process.on('message', () => {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  process.send({ bytes: heapUsed + external })
})
