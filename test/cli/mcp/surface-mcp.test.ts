import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, expect } from 'vitest'
import { controlTools } from '../../../src/cli/mcp/tools.js'
import { testSurface } from '../../mock/surfaces/surface-suite.js'
import { bin, cleanEnv, emptyFolder } from '../cli-process.js'

type Answer = { id?: number; result?: { content?: { text: string }[]; isError?: boolean } }

const ends: (() => unknown)[] = []
afterAll(() => {
  for (const end of ends) end()
})

/** A session of a client for all tests of this file. */
async function connect(url: string) {
  const child = spawn(process.execPath, [bin, 'mcp', '--url', url], { env: cleanEnv() })
  ends.push(() => child.kill('SIGKILL'))
  const waiting = new Map<number, (answer: Answer) => void>()
  createInterface(child.stdout).on('line', (line) => {
    const answer: Answer = JSON.parse(line)
    waiting.get(answer.id ?? -1)?.(answer)
  })
  let last = 0
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const request = (method: string, params: object) => {
    last += 1
    const id = last
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve))
    send({ id, method, params })
    return answered
  }
  const clientInfo = { name: 'test', version: '1' }
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  send({ method: 'notifications/initialized' })
  return (name: string, args: object) => request('tools/call', { name, arguments: args })
}

testSurface(
  'MCP',
  async ({ url }) => {
    const call = await connect(url)
    const tools = Object.entries(controlTools)
    return {
      async perform(control, input) {
        const tool = tools.find((each) => each[1].control === control)?.[0]
        // The state is a file.
        const file = join(emptyFolder(), 'state.json')
        if (control === 'loadState') writeFileSync(file, JSON.stringify(input))
        else expect(tool, `There is a tool for ${control}.`).toBeDefined()
        const { result } = await (control === 'loadState'
          ? call('load_state', { file })
          : call(tool ?? '', input))
        expect(result).not.toMatchObject({ isError: true })
        return result?.content?.at(-1)?.text ?? ''
      },
    }
  },
  { sequences: 3 },
)
