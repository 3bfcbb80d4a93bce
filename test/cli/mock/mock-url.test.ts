import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { listening, run, start } from '../cli-process.js'
import { listenOnFreePort, takePort } from '../take-port.js'

/** One command that follows the log, and one that does not. Other commands use the same client. */
const commands = [
  ['session', 'use', 'acme-owner'],
  ['mock', 'log', '--follow'],
]
// In a pipe, the output of a followed log begins with a header.
const failure = (message: RegExp) => ({
  code: 1,
  stdout: expect.stringMatching(/^(Id\t.*\n)?$/),
  stderr: expect.stringMatching(message),
})
const startOne =
  '\\nhint: Start one with "npx dashboard-api dev", or pass the address .* --url or in DASHBOARD_API_URL\\.\\n$'

describe('the address of a running mock', () => {
  test.each(commands)(
    'that belongs to another JSON API is a failure with a hint: %s %s %s',
    async (...command) => {
      const port = await takePort('application/json', '{}')
      expect(await run([...command, '--url', `http://127.0.0.1:${port}`])).toMatchObject(
        failure(new RegExp(`^error: What answers at .* is not a dashboard-api mock \\(.*\\)\\.${startOne}`)),
      )
    },
  )

  test('at which nothing listens is a failure with a hint', async () => {
    expect(await run(['session', 'current', '--url', 'http://127.0.0.1:1'])).toMatchObject(
      failure(new RegExp(`^error: No mock answers at .* \\(ECONNREFUSED\\)\\.${startOne}`)),
    )
  })

  test('at which connections are closed immediately is a failure with a hint', async () => {
    const port = await listenOnFreePort(createServer((socket) => void socket.destroy()))
    expect(await run(['mock', 'scenario', 'list', '--url', `http://127.0.0.1:${port}`])).toMatchObject(
      failure(new RegExp(`^error: No mock answers at .* \\(ECONNRESET\\)\\.${startOne}`)),
    )
  })

  test('comes from --url, else from DASHBOARD_API_URL, else it is the default', async () => {
    const url = await listening(start(['dev', '--port', '0', '--json']))
    const env = { DASHBOARD_API_URL: url }
    const set = await run(['mock', 'scenario', 'set', 'empty'], { env })
    expect(set).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('mock scenario clear empty"'),
    })
    expect((await run(['mock', 'scenario', 'list', '--url', url])).stdout).toContain('\nempty\t')

    const nowhere = await run(['mock', 'log', '--url', 'http://127.0.0.1:1'], { env })
    expect(nowhere.stderr).toContain('No mock answers at http://127.0.0.1:1 ')
    expect(
      await run(['mock', 'delay', 'show'], { env: { DASHBOARD_API_URL: 'localhost:4010' } }),
    ).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^error: DASHBOARD_API_URL: expected an address .*"localhost:4010"\.\nhint: /,
      ),
    })
    // An empty variable counts as unset.
    expect(
      (await run(['mock', 'persona', 'list', '--help'], { env: { DASHBOARD_API_URL: '' } })).stdout,
    ).toMatch(/\$DASHBOARD_API_URL,\s+else\s+http:\/\/localhost:4010/)
  })
})
