import { describe, expect, test } from 'vitest'
import { start } from '../cli-process.js'
import { post, refused, rowsOf, runningMock } from './running-mock.js'

describe('dashboard-api log', () => {
  test('shows requests and their explanation as text and JSON lines, and can be cleared', async () => {
    const { cli, request } = await runningMock()
    await request()
    await request(post(''), { cookie: 'session=acme-viewer' })
    const [head, first, second] = rowsOf(await cli('log'))
    expect(head).toEqual(['Id', 'Time', 'Method', 'Path', 'Status', 'Code', 'Session', 'Why', 'ms'])
    expect(first).toMatchObject(
      ['1', /Z$/, 'GET', '/v1/projects', '200', '', 'acme-owner', 'handler', /^\d/].map((cell) =>
        typeof cell === 'string' ? cell : expect.stringMatching(cell),
      ),
    )
    expect(second?.slice(4, 8)).toEqual([
      '403',
      'INSUFFICIENT_PERMISSIONS',
      'acme-viewer',
      'permission check',
    ])
    const lines = (await cli('log', '--json')).stdout.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).status)).toEqual([200, 403])
    expect(await cli('log', '--clear')).toMatchObject({ code: 0, stdout: '' })
    expect((await cli('log', '--json')).stdout).toBe('')
  })

  test('prints the curl command that repeats a request', async () => {
    const { cli, request, url } = await runningMock()
    await request(post("It's"))
    expect((await cli('log', '--curl', '1')).stdout).toMatch(
      new RegExp(`^curl -i -X POST ${url}/v1/projects -b session=active .*\\n$`),
    )
    expect(await cli('log', '--curl', '7')).toMatchObject(
      refused(/no request 7\.\nhint: It has the requests 1 to 1/),
    )
  })

  test('follows until a signal; fails if the mock ends first', async () => {
    const { cli, request, url, dev } = await runningMock()
    await request()
    const follow = (...args: string[]) => start(['log', '--follow', '--url', url, ...args])
    const [plain, json] = [follow(), follow('--json')]
    await plain.until('stdout', /\n1\t.*\n/)
    await json.until('stdout', /"id":1,.*\n/)
    await cli('session', 'use', 'acme-viewer')
    await request()
    await plain.until('stdout', /\n2\t.*acme-viewer.*\n/)
    await json.until('stdout', /"id":2,.*\n/)
    plain.child.kill('SIGINT')
    expect(await plain.ended).toMatchObject({ code: 0, stderr: '' })
    dev.child.kill('SIGTERM')
    expect(await json.ended).toMatchObject({ code: 1, stderr: `error: The mock at ${url} has ended.\n` })
  })
})
