import type { McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { errors } from '../../contract/errors.js'
import { type Operation, operationNames, operations } from '../../contract/operations.js'
import type { LogDetails } from '../../mock/log/log-details.js'
import { type Call, readLog } from './read-log.js'

const asUser = (text: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
})

/** The prompts with which an agent begins. */
export function addPrompts(server: McpServer, call: Call): void {
  server.registerPrompt(
    'reproduce_last_failure',
    {
      title: 'Reproduce the failure of the last request as a test',
      description: 'Reads the last request that failed, and asks for a test that reproduces it.',
    },
    async () => {
      const { requests } = await readLog(call, { failed: true, limit: 1 })
      const [last] = requests
      if (!last)
        return asUser('No request to the mock has failed. Send the request that fails, and ask again.')
      const entry = (await call('logEntry', { id: last.id })) as LogDetails
      const { request, response, changes, test, why } = entry
      return asUser(`Reproduce this failure of the front end as a test in this project's test framework.

The request, its response, and what it changed:
${JSON.stringify({ why, request, response, changes }, undefined, 1)}

${test ? `A test of the interface alone that expects this response:\n\n${test}\n\n` : ''}Write the test against a mock in process: createMockServer({ baseUrl: '${new URL(request.url).origin}' }) of
dashboard-api/node. It begins with the fixtures: give it the state that the request met, as by a record that is added, an
earlier request, or mock.scenarios.set(…).`)
    },
  )
  server.registerPrompt(
    'states_of_screen',
    {
      title: 'Which states does this screen need?',
      description: 'Lists the outcomes of the operations that a screen uses, to show each of them.',
      argsSchema: z.object({ screen: z.string().describe('the screen, e.g. "the list of projects"') }),
    },
    ({ screen }) => {
      const outcomes = operationNames.map((name) => {
        const { method, path, errors: codes } = operations[name] as Operation
        return `${name} (${method} ${path}): ${codes.map((code) => `${errors[code].status} ${code}`).join(', ')}`
      })
      return asUser(`Which states does this screen need: ${screen}?

These are the operations and their errors; every one can also be slow (set_delay), be without a response (force_outcome
with hang or drop), or fail with INTERNAL_ERROR, SERVICE_UNAVAILABLE and RATE_LIMITED:
${outcomes.join('\n')}

The named scenarios "empty" and "duplicate-names" change lists. Personas differ in permissions, team and organisation
(list_personas). Find the requests that the screen sends with read_log, list the states that it must show, force each
with the tools, and say which of them the screen does not show yet.`)
    },
  )
}
