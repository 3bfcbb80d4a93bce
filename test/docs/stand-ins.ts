import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** What a program does in place of the real one: gets its arguments, and returns its output. */
export type StandIn = (args: string[]) => string | undefined | Promise<string | undefined>

/** Writes a program that `/bin/sh` runs. */
export const writeProgram = (folder: string, name: string, script: string): void =>
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })

/**
 * Puts programs into a folder, which pass their arguments on to this process. One that throws ends with an error.
 * @returns what removes their connection
 */
export async function installStandIns(folder: string, standIns: Record<string, StandIn>) {
  const server = createServer(async (request, response) => {
    const args = (await text(request)).split('\n').slice(0, -1)
    const name = request.url?.slice(1) ?? ''
    try {
      response.end(await standIns[name]?.(args))
    } catch (error) {
      response.writeHead(500).end(`${name}: ${error instanceof Error ? error.message : error}\n`)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const name of Object.keys(standIns)) {
    const request = `curl --silent --show-error --fail-with-body --data-binary @- ${url}/${name}`
    writeProgram(folder, name, `for argument do printf '%s\\n' "$argument"; done | ${request}`)
  }
  return () => {
    server.closeAllConnections()
    server.close()
  }
}
