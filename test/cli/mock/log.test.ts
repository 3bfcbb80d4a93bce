import { readFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { start } from '../cli-process.js'
import { listenOnFreePort } from '../take-port.js'
import { post, refused, rowsOf, runningMock } from './running-mock.js'

describe('dashboard-api mock log', () => {
  test('shows requests and their explanation as text and JSON lines, and can be cleared', async () => {
    const { cli, request } = await runningMock()
    await request()
    await request(post(''), { cookie: 'session=acme-viewer' })
    const [head, first, second] = rowsOf(await cli('mock', 'log'))
    expect(head).toEqual(['Id', 'Time', 'Method', 'Path', 'Status', 'Code', 'Session', 'Why', 'Effect', 'ms'])
    expect(first).toMatchObject(
      ['1', /Z$/, 'GET', '/v1/projects', '200', '', 'acme-owner', 'handler', '', /^\d/].map((cell) =>
        typeof cell === 'string' ? cell : expect.stringMatching(cell),
      ),
    )
    expect(second?.slice(4, 8)).toEqual([
      '403',
      'INSUFFICIENT_PERMISSIONS',
      'acme-viewer',
      'permission check',
    ])
    const lines = (await cli('mock', 'log', '--json')).stdout.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).status)).toEqual([200, 403])
    expect(await cli('mock', 'log', '--clear')).toMatchObject({ code: 0, stdout: '' })
    expect((await cli('mock', 'log', '--json')).stdout).toBe('')
  })

  test('names the operation of GraphQL in a pipe', async () => {
    const { cli, url } = await runningMock()
    await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query":"mutation PayInvoice { pay }"}',
    })
    const [, line] = rowsOf(await cli('mock', 'log'))
    expect(line?.slice(2, 5)).toEqual(['POST', '/graphql mutation PayInvoice', '404'])
  })

  test('prints the curl command that repeats a request', async () => {
    const { cli, request, url } = await runningMock()
    await request(post("It's"))
    expect((await cli('mock', 'log', '--curl', '1')).stdout).toMatch(
      new RegExp(`^curl -i -X POST ${url}/v1/projects -b session=active .*\\n$`),
    )
    expect(await cli('mock', 'log', '--curl', '7')).toMatchObject(
      refused(/^error: The log has no request 7\. It has the requests 1 to 1\.\n$/),
    )
  })

  test('prints fetch, a test, and a request with its response and changes', async () => {
    const { cli, json, request, url } = await runningMock()
    await request(post('Apollo'))
    expect((await cli('mock', 'log', '--fetch', '1')).stdout).toContain(`await fetch('${url}/v1/projects', {`)
    expect((await cli('mock', 'log', '--test', '1')).stdout).toContain(`await fetch('${url}/v1/projects', {`)
    await cli('mock', 'scenario', 'set', 'listProjects', 'drop')
    await request({}).catch(() => {})
    expect(await cli('mock', 'log', '--test', '2')).toMatchObject(refused(/Request 2 got no response/))
    const { stdout } = await cli('mock', 'log', 'show', '1')
    expect(stdout).toMatch(/^POST \/v1\/projects\n.*\n201 \(handler\)\n.*\nprojects \S+ added\n\+ \{.*\}\n$/s)
    expect(await json('mock', 'log', 'show', '1')).toMatchObject({ request: { body: { length: 17 } } })
  })

  test('sends a request again', async () => {
    const { cli, play, request } = await runningMock()
    await request(post('Apollo'))
    const again = await cli('mock', 'log', 'send', '1')
    expect(again.stderr).toBe('Request 1 was sent again.\nRequest 2: 409 (handler).\n')
    expect(JSON.parse(again.stdout)).toMatchObject({ code: 'PROJECT_NAME_TAKEN' })
    const like = (value: object) => expect.objectContaining(value)
    await play(
      [
        `mock log send 1 --body '{"name":"B"}' --session acme-member`,
        { json: like({ status: 201, session: 'acme-member' }) },
      ],
      ['mock log send 1 --no-session', { json: like({ status: 401 }) }],
      ["mock log send 1 --session 'signed out'", { json: like({ status: 401 }) }],
      ['mock log send 1 --method GET --path /v1/auth/me', { json: like({ operation: 'getSession' }) }],
      ['mock log send 1 --session nobody', /no persona "nobody"/],
    )
  })

  test('returns to a request; undo and redo step over changes', async () => {
    const { cli, json, request } = await runningMock()
    const count = async () => JSON.parse((await cli('state', 'export')).stdout).projects.length
    const first = await count()
    await request(post('A'))
    await request(post('B'))
    expect(await cli('undo')).toMatchObject({
      code: 0,
      stderr: 'Went back to before B was created.\n',
    })
    expect(await json('redo')).toMatchObject({ title: 'B was created', entry: 2, changed: 1 })
    expect((await cli('mock', 'log', 'rewind', '1')).stderr).toBe('Went back to before A was created.\n')
    expect(await count()).toBe(first)
    await cli('mock', 'log', 'rewind', '1', '--after')
    expect(await count()).toBe(first + 1)
    expect(await cli('redo')).toMatchObject(refused(/nothing to redo/))
  })

  test('is exported as an HTTP Archive', async () => {
    const { cli, request, cwd } = await runningMock()
    await request()
    await request()
    expect(JSON.parse((await cli('mock', 'log', 'export', '--har')).stdout).log.entries).toHaveLength(2)
    expect((await cli('mock', 'log', 'export', '--output', 'log.har')).stderr).toBe('Wrote log.har.\n')
    expect(JSON.parse(readFileSync(join(cwd, 'log.har'), 'utf8')).log.version).toBe('1.2')
  })

  test('follows until a signal; fails if the mock ends first', async () => {
    const { cli, request, url, dev } = await runningMock()
    await request()
    const follow = (...args: string[]) => start(['mock', 'log', '--follow', '--url', url, ...args])
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
    expect(await json.ended).toMatchObject({
      code: 1,
      stderr: `error: The connection to the mock at ${url} has ended.\n`,
    })
  })

  test('does not say that the mock has ended, if only the connection is cut', async () => {
    const { request, url } = await runningMock()
    const sockets: Socket[] = []
    const proxy = createServer((socket) => {
      const target = connect(Number(new URL(url).port), '127.0.0.1')
      socket
        .on('error', () => {})
        .pipe(target.on('error', () => {}))
        .pipe(socket)
      sockets.push(socket, target)
    })
    const between = `http://127.0.0.1:${await listenOnFreePort(proxy)}`
    await request()
    const following = start(['mock', 'log', '--follow', '--url', between])
    await following.until('stdout', /\n1\t.*\n/)
    for (const socket of sockets) socket.destroy()
    expect(await following.ended).toMatchObject({
      code: 1,
      stderr: `error: The connection to the mock at ${between} has ended.\n`,
    })
    expect((await request()).status).toBe(200)
  })
})
