import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { type ErrorCode, errors } from '../../contract/errors.js'
import type { ControlName } from '../../mock/controls/control-endpoints.js'
import { openApiText } from '../../pages/documents.js'
import type { Call } from './read-log.js'

/** The interface, the log, the state and the error codes, which a client can read without a tool. */
export function addResources(server: McpServer, call: Call): void {
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
