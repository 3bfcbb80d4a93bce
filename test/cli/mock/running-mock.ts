import { expect } from 'vitest'
import { type Ended, emptyFolder, listening, run, start } from '../cli-process.js'

/** Starts a mock. `cli` runs a command for it, `json` also parses its output, `request` sends a request. */
export async function runningMock() {
  const cwd = emptyFolder()
  const dev = start(['dev', '--port', '0', '--json'], { cwd })
  const url = await listening(dev)
  const cli = (...args: string[]) => run([...args, '--url', url], { cwd })
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await cli(...args, '--json')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    return JSON.parse(stdout)
  }
  const request = (init: RequestInit = {}, headers: Record<string, string> = {}) =>
    fetch(`${url}/v1/projects`, {
      ...init,
      headers: { cookie: 'session=active', 'content-type': 'application/json', ...headers },
    })
  return { dev, url, cwd, cli, json, request }
}

export const post = (name: string): RequestInit => ({ method: 'POST', body: JSON.stringify({ name }) })
export const refused = (message: RegExp) => ({ code: 2, stdout: '', stderr: expect.stringMatching(message) })
export const rowsOf = ({ stdout }: Ended) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
