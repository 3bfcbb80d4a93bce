import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, onTestFinished } from 'vitest'
import { bin, cleanEnv } from '../cli-process.js'

type Message = { id?: number; result?: unknown; error?: { message: string } }
type ToolResult = { content: { text: string }[]; isError?: boolean }

/** Starts `dashboard-api mcp`, and sends it lines of JSON-RPC as a client does. */
export function startMcp(args: string[], { cwd }: { cwd?: string } = {}) {
  const child = spawn(process.execPath, [bin, 'mcp', ...args], { cwd, env: cleanEnv() })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'close')
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  /** Every line of stdout. A line that is not JSON-RPC fails the test. */
  const received: Message[] = []
  const waiting = new Map<number, (message: Message) => void>()
  createInterface(child.stdout).on('line', (line) => {
    const message = JSON.parse(line)
    expect(message.jsonrpc).toBe('2.0')
    received.push(message)
    waiting.get(message.id)?.(message)
  })
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  let last = 0
  const request = (method: string, params: object = {}) => {
    last += 1
    const id = last
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve))
    send({ id, method, params })
    return answered
  }
  const result = async (method: string, params?: object): Promise<Record<string, unknown>> => {
    const { result, error } = await request(method, params)
    expect(error).toBeUndefined()
    return result as Record<string, unknown>
  }
  return {
    child,
    ended,
    received,
    send,
    request,
    result,
    stderr: () => stderr,
    /** The id of the last request. */
    lastId: () => last,
    async initialize(protocolVersion = '2025-06-18') {
      const clientInfo = { name: 'test', version: '1' }
      const answer = await result('initialize', { protocolVersion, capabilities: {}, clientInfo })
      send({ method: 'notifications/initialized' })
      return answer
    },
    /** Calls a tool. @returns its text, parsed where it is JSON, and the sentence after it */
    async tool(name: string, args: object = {}) {
      const { content, isError } = (await result('tools/call', { name, arguments: args })) as ToolResult
      const text = content[0]?.text ?? ''
      const said = content[1]?.text ?? ''
      return { isError: isError ?? false, text, said, json: () => JSON.parse(text) }
    },
  }
}
