import { expect } from 'vitest'
import { type Ended, emptyFolder, listening, run, start } from '../cli-process.js'

/** The expected output: text on stdout, the JSON of --json, or the error of a refused command. */
type Expected = string | { json: unknown } | RegExp
type Step = [command: string, expected?: Expected] | (() => unknown)

/** The words of a command line. Quoted text is one word. */
const wordsOf = (command: string) =>
  (command.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replaceAll("'", ''))

/** Starts a mock. `cli` runs a command for it, `json` also parses its output, `request` sends a request. */
export async function runningMock(options: string[] = []) {
  const cwd = emptyFolder()
  const dev = start(['dev', '--port', '0', '--json', ...options], { cwd })
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
  /** Runs commands and functions in sequence. */
  async function play(...steps: Step[]): Promise<void> {
    for (const step of steps) {
      if (typeof step === 'function') {
        await step()
        continue
      }
      const [command, expected = expect.any(String)] = step
      const words = wordsOf(command)
      if (expected instanceof RegExp) expect(await cli(...words), command).toMatchObject(refused(expected))
      else if (typeof expected === 'object' && 'json' in expected)
        expect(await json(...words), command).toEqual(expected.json)
      else expect(await cli(...words), command).toMatchObject({ code: 0, stdout: expected })
    }
  }
  return { dev, url, cwd, cli, json, request, play }
}

export const post = (name: string): RequestInit => ({ method: 'POST', body: JSON.stringify({ name }) })
export const refused = (message: RegExp) => ({ code: 2, stdout: '', stderr: expect.stringMatching(message) })
export const rowsOf = ({ stdout }: Ended) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
