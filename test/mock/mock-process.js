// A mock in a process of its own, to be killed: keeps its state in the file and its snapshots in the folder given.
import { readFileSync } from 'node:fs'
import { startDevServer } from '../../dist/mock/http/dev-server.js'
import { parseStateText } from '../../dist/store/state-file.js'

const [, , persist, snapshots] = process.argv
const fixtures = parseStateText(readFileSync(new URL('../../fixtures/demo.json', import.meta.url), 'utf8'))
const { url } = await startDevServer({ fixtures, port: 0, persist, snapshots })
process.stdout.write(`${url}\n`)
