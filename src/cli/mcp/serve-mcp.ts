import { once } from 'node:events'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { changes, saidOf } from '../../mock/controls/control-words.js'
import { packageVersion } from '../package.js'
import { watchSignals } from '../signals.js'
import { createAnswers, cutAnswer } from './answers.js'
import { type Connection, connect, type McpOptions } from './connect.js'
import { otherTools } from './other-tools.js'
import { addPrompts } from './prompts.js'
import type { Call } from './read-log.js'
import { addResources } from './resources.js'
import { schemaOf } from './schema-of.js'
import { annotationsOf, controlTools } from './tools.js'

const instructions = `Controls of a mock of the dashboard API. A front end sends its requests to the mock; these tools show
them and decide how they are answered. Start with "overview". A target is an operation (createProject, or POST /v1/projects) or
a handler (GET /api/invoices/:id). "force_outcome" affects the next request only, unless it has times. Check what the front end
sent with "expect_calls". Clean up with "clear_forced", or "reset" for everything. "undo" takes back every change of the mock.`

/** Serves the controls of a mock over stdio until the client closes its end. Only protocol is written to stdout. */
export async function serveMcp(options: McpOptions): Promise<undefined> {
  const connection = connect(options)
  const handle = serveStdio(() => createMcpServer(connection))
  const signal = watchSignals()
  await Promise.race([once(process.stdin, 'close', { signal }).catch(() => {}), once(process.stdin, 'end')])
  await handle.close()
  await connection.close()
  return undefined
}

/** The MCP server over a client of the controls. */
function createMcpServer(connection: Connection): McpServer {
  const { run, faults } = connection
  /** Leaves a space that was removed: the next call would create it again. @returns what to say of that */
  const leave = (removed: unknown): string => {
    if (connection.space() !== removed) return ''
    connection.enterSpace(undefined)
    return ' These tools control the common space now.'
  }
  const call: Call = async (...given) => (await run(...given)).output
  const { answer, readMore } = createAnswers(faults)
  const server = new McpServer(
    { name: 'dashboard-api', title: 'Mock of the dashboard API', version: packageVersion() },
    { instructions, capabilities: { tools: {}, resources: {}, prompts: {} } },
  )

  for (const [name, { about, effect, input, act }] of Object.entries(otherTools)) {
    const config = { description: about, inputSchema: schemaOf(input), annotations: annotationsOf(effect) }
    server.registerTool(name, config, (given) => answer(() => act(connection, given)))
  }
  for (const [name, { control, about, input, effect }] of Object.entries(controlTools)) {
    const config = { description: about, inputSchema: schemaOf(input), annotations: annotationsOf(effect) }
    server.registerTool(name, config, (given) =>
      answer(async () => {
        const { output, step } = await run(control, given)
        const said = changes(control) ? saidOf(control, step, given) : undefined
        return { data: output, said: control === 'removeSpace' ? said + leave(given.name) : said }
      }),
    )
  }
  server.registerTool(
    'read_more',
    {
      description: 'Read the next part of a cut answer.',
      inputSchema: schemaOf(cutAnswer),
      annotations: annotationsOf('reads'),
    },
    ({ id }) => readMore(id),
  )
  addResources(server, call)
  addPrompts(server, call)
  return server
}
