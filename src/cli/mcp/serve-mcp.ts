import { once } from 'node:events'
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod'
import { type ErrorCode, errors } from '../../contract/errors.js'
import type { ControlName } from '../../mock/controls/control-endpoints.js'
import { controlTable } from '../../mock/controls/control-table.js'
import { saidOf } from '../../mock/controls/control-words.js'
import { NoMockError } from '../../mock/surfaces/control-client.js'
import { openApiText } from '../../pages/documents.js'
import { packageVersion } from '../package.js'
import { watchSignals } from '../signals.js'
import { type Connection, connect, type McpOptions } from './connect.js'
import { overview } from './overview.js'
import { possibleOutcomes } from './possible-outcomes.js'
import { addPrompts } from './prompts.js'
import { type Call, readLog } from './read-log.js'
import { schemaOf } from './schema-of.js'
import { annotationsOf, controlTools, logInput, outcomesInput, partOf, readOn } from './tools.js'

const instructions = `Controls of a mock of the dashboard API. A front end sends its requests to the mock; these tools show
them and decide how they are answered. Start with "overview". "force_outcome" affects the next request only, unless it has times.
Clean up with "clear_forced", or "reset" for everything. Changes of data can be undone with "undo".`

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
function createMcpServer({ run, faults }: Connection): McpServer {
  const call: Call = async (...given) => (await run(...given)).output
  const server = new McpServer(
    { name: 'dashboard-api', title: 'Mock of the dashboard API', version: packageVersion() },
    { instructions, capabilities: { tools: {}, resources: {}, prompts: {} } },
  )

  /** The result of a tool: data as JSON, and a failure as text for the agent to act on. */
  const answer = async (
    get: () => Promise<unknown>,
    start?: number,
    said: () => string | undefined = () => undefined,
  ) => {
    try {
      const data = await get()
      const text = partOf(typeof data === 'string' ? data : JSON.stringify(data, undefined, 1), start)
      const all = [text, said(), ...(await faults())].filter((each) => each !== undefined)
      return { content: all.map((each) => ({ type: 'text' as const, text: each })) }
    } catch (error) {
      return {
        content: [{ type: 'text' as const, text: partOf(explain(error as Error), start) }],
        isError: true,
      }
    }
  }

  for (const [name, { control, title, effect }] of Object.entries(controlTools)) {
    const { about, input } = controlTable[control] as { about: string; input: z.ZodObject }
    const inputSchema = schemaOf(effect === 'reads' ? input.extend(readOn) : input)
    const config = { title, description: about, inputSchema, annotations: annotationsOf(effect) }
    server.registerTool(name, config, ({ continueAt, ...given }) => {
      let said: string | undefined
      const get = async () => {
        const { output, step } = await run(control, given)
        if (effect !== 'reads') said = saidOf(control, step, given)
        return output
      }
      return answer(get, continueAt as number | undefined, () => said)
    })
  }

  const reads = annotationsOf('reads')
  server.registerTool(
    'overview',
    {
      title: 'Overview of the mock',
      description:
        'Show the address of the mock, its project and its files with their faults, the last failed request, what is in force, ' +
        'and the names of the personas and snapshots.',
      inputSchema: schemaOf(z.strictObject(readOn)),
      annotations: reads,
    },
    ({ continueAt }) => answer(() => overview(call), continueAt),
  )
  server.registerTool(
    'list_possible_outcomes',
    {
      title: 'List what can be forced',
      description:
        'List the possible outcomes of each operation, and the named scenarios. With a target, only those of it.',
      inputSchema: schemaOf(outcomesInput),
      annotations: reads,
    },
    ({ target, continueAt }) => answer(() => possibleOutcomes(call, target), continueAt),
  )
  server.registerTool(
    'read_log',
    {
      title: 'Read the log of requests',
      description:
        'Show the newest requests with status, code, persona and why each was answered so. ' +
        '"read_request" shows the bodies of one.',
      inputSchema: schemaOf(logInput),
      annotations: reads,
    },
    ({ continueAt, ...filter }) => answer(() => readLog(call, filter), continueAt),
  )

  addResources(server, call)
  addPrompts(server, call)
  return server
}

function addResources(server: McpServer, call: Call): void {
  const resource = (
    name: string,
    uri: string,
    title: string,
    description: string,
    read: () => Promise<string>,
  ) =>
    server.registerResource(name, uri, { title, description, mimeType }, async ({ href }) => ({
      contents: [{ uri: href, mimeType, text: await read() }],
    }))
  const mimeType = 'application/json'
  const data = (name: ControlName) => async () => JSON.stringify(await call(name), undefined, 1)
  resource(
    'openapi',
    'mock://openapi',
    'The interface, OpenAPI 3.1',
    'The operations with their parameters, bodies, responses and error codes.',
    async () => openApiText(),
  )
  resource(
    'log',
    'mock://log',
    'The log of requests',
    'All logged requests, oldest first, without bodies. The tool read_log filters them.',
    data('log'),
  )
  resource(
    'state',
    'mock://state',
    'The data of the mock, as a state file',
    'All projects, teams, users, personas and waitlist entries. The tool list_records filters them.',
    data('exportState'),
  )
  const codes = Object.keys(errors) as ErrorCode[]
  const uriOf = (code: string) => `mock://errors/${code}`
  const template = new ResourceTemplate('mock://errors/{code}', {
    list: async () => ({
      resources: codes.map((code) => ({ uri: uriOf(code), name: code, description: errors[code].when })),
    }),
    complete: { code: (start) => codes.filter((code) => code.startsWith(start.toUpperCase())) },
  })
  const about = {
    title: 'An error code',
    description: 'The status, message and cause of an error code, and what to do.',
    mimeType: 'text/markdown',
  }
  server.registerResource('errors', template, about, async ({ href }, { code }) => {
    const found = codes.find((known) => known === code)
    if (!found) throw new Error(`There is no code ${code}. Possible: ${codes.join(', ')}.`)
    const { status, message, when, remedy } = errors[found]
    const text = `# ${found} (${status})\n\n${message}\n\nCause: ${when}\n\nWhat to do: ${remedy}\n`
    return { contents: [{ uri: href, mimeType: 'text/markdown', text }] }
  })
}

/** An error with what to do next. */
const explain = (error: Error): string =>
  error instanceof NoMockError && !error.isTimeout
    ? `${error.message} Start a mock with "npx dashboard-api dev", Vite with its plugin, or this server with --start.`
    : error.message
