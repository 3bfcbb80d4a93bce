import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { bin } from '../cli/cli-process.js'
import { post, runningMock } from '../cli/mock/running-mock.js'

async function connect(url: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [bin, 'mcp', '--url', url] }),
  )
  onTestFinished(() => client.close())
  return client
}

/** Calls a tool, and returns its result as data. */
async function callTool(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: args })
  const [first] = content as { text: string }[]
  expect(isError, first?.text).toBeFalsy()
  return JSON.parse(first?.text ?? '')
}

test("the client of the official SDK forces a response, and reads the front end's request", async () => {
  const { url, request } = await runningMock()
  const client = await connect(url)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('force_outcome')
  await callTool(client, 'force_outcome', { target: 'createProject', outcome: 409, times: 1 })
  expect((await request(post('Apollo'))).status).toBe(409)
  expect(await callTool(client, 'read_log')).toMatchObject({ requests: [{ code: 'PROJECT_NAME_TAKEN' }] })
  const { messages } = await client.getPrompt({ name: 'reproduce_last_failure' })
  expect(JSON.stringify(messages)).toContain('PROJECT_NAME_TAKEN')
  const { resources } = await client.listResources()
  expect(resources.map(({ uri }) => uri)).toContain('mock://errors/PROJECT_NAME_TAKEN')
})

test('a cancelled call of the client of the SDK does not stop its other calls', async () => {
  const { url, request } = await runningMock()
  const client = await connect(url)
  await request()
  await callTool(client, 'set_delay', { ms: 5_000 })
  const controller = new AbortController()
  const call = client.callTool(
    { name: 'send_again', arguments: { id: 1, session: null } },
    { signal: controller.signal },
  )
  controller.abort()
  await expect(call).rejects.toThrow()
  expect(await callTool(client, 'overview')).toMatchObject({ delay: { all: '5000' } })
})
