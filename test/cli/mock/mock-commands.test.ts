import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Ended, emptyFolder, listening, run, start } from '../cli-process.js'

/** A running mock, and the command line at it. */
async function runningMock() {
  const cwd = emptyFolder()
  const dev = start(['dev', '--port', '0', '--json'], { cwd })
  const url = await listening(dev)
  const at = (...args: string[]) => run([...args, '--url', url], { cwd })
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await at(...args, '--json')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    return JSON.parse(stdout)
  }
  const ask = (init: RequestInit = {}, headers: Record<string, string> = {}) =>
    fetch(`${url}/v1/projects`, {
      ...init,
      headers: { cookie: 'session=active', 'content-type': 'application/json', ...headers },
    })
  return { dev, url, cwd, at, json, ask }
}

const post = (name: string): RequestInit => ({ method: 'POST', body: JSON.stringify({ name }) })
const refused = (message: RegExp) => ({ code: 2, stdout: '', stderr: expect.stringMatching(message) })
const rowsOf = ({ stdout }: Ended) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))

describe('dashboard-api scenario', () => {
  test('forces an outcome so many times, then it ends by itself', async () => {
    const { at, json, ask } = await runningMock()
    const set = await at('scenario', 'set', 'createProject', 'PROJECT_NAME_TAKEN', '--times', '1')
    // As printed it reaches the same mock, whichever port that has.
    expect(set.stderr).toMatch(/scenario clear --url http:\/\/127\.0\.0\.1:\d+"/)
    expect(set.code).toBe(0)
    expect(set.stdout).toBe('Operation\tOutcome\tTimes\tSession\ncreateProject\tPROJECT_NAME_TAKEN\t1\t\n')
    const taken = await ask(post('New'))
    expect(taken.status).toBe(409)
    expect(await taken.json()).toMatchObject({ code: 'PROJECT_NAME_TAKEN' })
    expect((await ask(post('New'))).status).toBe(201)
    expect(await json('scenario', 'list')).toEqual([])
  })

  test('is limited to a persona, and to a space', async () => {
    const { at, ask } = await runningMock()
    await at('scenario', 'set', 'listProjects', '500', '--session', 'acme-viewer', '--space', 'one')
    expect((await ask({}, { 'x-mock-space': 'one' })).status).toBe(200)
    expect((await ask({}, { 'x-mock-space': 'one', cookie: 'session=acme-viewer' })).status).toBe(500)
    expect((await ask({}, { cookie: 'session=acme-viewer' })).status).toBe(200)
  })

  test('begins a named scenario, and ends one or all', async () => {
    const { at, json, ask } = await runningMock()
    await at('scenario', 'set', 'empty')
    await at('scenario', 'set', 'getSession', 'hang')
    expect(await (await ask()).json()).toEqual({ projects: [] })
    expect(await json('scenario', 'clear', 'empty')).toEqual([{ target: 'getSession', outcome: 'hang' }])
    expect(await json('scenario', 'clear')).toEqual([])
  })

  test('refuses an outcome that the operation cannot give, with those it can', async () => {
    const { at } = await runningMock()
    const set = (...args: string[]) => at('scenario', 'set', ...args)
    expect(await set('listProjects', 'PROJECT_NAME_TAKEN')).toMatchObject(
      refused(
        /^error: listProjects cannot answer PROJECT_NAME_TAKEN\. Possible: AUTH_REQUIRED, .*drop, hang\.\n$/,
      ),
    )
    expect(await set('dropProjects', '500')).toMatchObject(refused(/Possible: createProject, .*empty/))
    expect(await set('listProjects', '500', '--session', 'nobody')).toMatchObject(refused(/acme-owner/))
    expect(await set('listProjects', '500', '--space', 'no/name')).toMatchObject(refused(/x-mock-space/))
  })

  test('shows all that can be forced', async () => {
    const { at, json } = await runningMock()
    const rows = rowsOf(await at('scenario', 'list', '--possible'))
    expect(rows).toContainEqual(['joinWaitlist', 'VALIDATION_FAILED', ''])
    expect(rows).toContainEqual(['empty', '', expect.stringContaining('No projects')])
    const { operations, named } = await json('scenario', 'list', '--possible')
    expect(operations.createProject).toContain('PROJECT_NAME_TAKEN')
    expect(Object.keys(named)).toEqual(['empty', 'duplicate-names'])
  })
})

describe('dashboard-api delay, clock, reset', () => {
  test('sets the delay, of one operation too, and takes it back', async () => {
    const { at, json, ask } = await runningMock()
    await at('delay', 'set', '80-90')
    const before = performance.now()
    await ask()
    expect(performance.now() - before).toBeGreaterThanOrEqual(79)
    expect(rowsOf(await at('delay', 'set', '5', 'createProject')).slice(1)).toEqual([
      ['all', '80-90'],
      ['createProject', '5'],
    ])
    expect(await json('delay', 'clear', 'createProject')).toEqual({ all: '80-90', operations: {} })
    await at('delay', 'set', '5', 'createProject')
    await at('delay', 'clear')
    expect(await json('delay', 'show')).toEqual({ all: '0', operations: {} })
    expect(await at('delay', 'set', 'soon')).toMatchObject(refused(/"soon" is no delay.*200-800/))
    expect(await at('delay', 'set', '5', 'noOperation')).toMatchObject(refused(/createProject/))
  })

  test('fixes the clock, lets it tick, and goes back', async () => {
    const { at, json, ask } = await runningMock()
    const time = '2026-01-01T00:00:00.000Z'
    expect((await at('clock', 'set', '2026-01-01T00:00:00Z')).stdout).toBe(`${time}\tfixed\n`)
    expect(await (await ask(post('New'))).json()).toMatchObject({ project: { createdAt: time } })
    expect(await json('clock', 'set', time, '--ticking')).toMatchObject({ mode: 'ticking' })
    expect(await json('clock', 'clear')).toMatchObject({ mode: 'real' })
    expect(await json('clock', 'show')).toMatchObject({ mode: 'real' })
    expect(await at('clock', 'set', 'noon')).toMatchObject(refused(/is not a time with a zone/))
  })

  test('returns to how the mock began', async () => {
    const { at, ask, json } = await runningMock()
    await ask(post('New'))
    await at('session', 'use', 'acme-viewer')
    await at('scenario', 'set', 'listProjects', '500')
    expect(await at('reset')).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/began/) })
    const { projects } = (await (await ask()).json()) as { projects: { name: string }[] }
    expect(projects.map(({ name }) => name)).not.toContain('New')
    expect(await json('session', 'current')).toMatchObject({ id: 'acme-owner' })
    expect(await json('reset')).toEqual({ ok: true })
  })
})

describe('dashboard-api snapshot and state', () => {
  test('keeps the state under a name and returns to it', async () => {
    const { at, ask, json } = await runningMock()
    const before = await (await ask()).json()
    expect(await at('snapshot', 'save', 'before')).toMatchObject({ code: 0, stderr: 'Saved before.\n' })
    await ask(post('New'))
    expect(await json('snapshot', 'list')).toEqual(['before'])
    expect(await at('snapshot', 'load', 'before')).toMatchObject({ code: 0 })
    expect(await (await ask()).json()).toEqual(before)
    expect(await at('snapshot', 'load', 'later')).toMatchObject(refused(/no snapshot "later".*before/))
    expect(await at('snapshot', 'save', '../up')).toMatchObject(refused(/is no name for a snapshot/))
  })

  test('gives the state as a file that it takes back, and refuses a wrong one whole', async () => {
    const { at, ask, cwd } = await runningMock()
    expect(await at('state', 'export', '--output', 'state.json')).toMatchObject({ code: 0, stdout: '' })
    const text = readFileSync(`${cwd}/state.json`, 'utf8')
    expect((await at('state', 'export')).stdout).toBe(text)
    const before = await (await ask()).json()
    await ask(post('New'))
    expect(await at('state', 'load', 'state.json')).toMatchObject({ code: 0 })
    expect(await (await ask()).json()).toEqual(before)

    writeFileSync(`${cwd}/wrong.json`, '{ "version": 1, "projects": [{}] }')
    expect(await at('state', 'load', 'wrong.json')).toMatchObject(refused(/projects\[0\]\.name/))
    expect(await (await ask()).json()).toEqual(before)
  })
})

describe('dashboard-api log', () => {
  test('shows what was asked and what decided it, plain and as JSON lines, and can be emptied', async () => {
    const { at, ask } = await runningMock()
    await ask()
    await ask(post(''), { cookie: 'session=acme-viewer' })
    const [head, first, second] = rowsOf(await at('log'))
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
    const lines = (await at('log', '--json')).stdout.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).status)).toEqual([200, 403])
    expect(await at('log', '--clear')).toMatchObject({ code: 0, stdout: '' })
    expect((await at('log', '--json')).stdout).toBe('')
  })

  test('gives the command line that repeats a request', async () => {
    const { at, ask, url } = await runningMock()
    await ask(post("It's"))
    expect((await at('log', '--curl', '1')).stdout).toMatch(
      new RegExp(`^curl -i -X POST ${url}/v1/projects -b session=active .*\\n$`),
    )
    expect(await at('log', '--curl', '7')).toMatchObject(
      refused(/no request 7\.\nhint: Its requests are 1 to 1/),
    )
  })

  test('follows until it is ended; where the mock ends first it says so', async () => {
    const { at, ask, url, dev } = await runningMock()
    await ask()
    const follow = (...args: string[]) => start(['log', '--follow', '--url', url, ...args])
    const [plain, json] = [follow(), follow('--json')]
    await plain.until('stdout', /\n1\t.*\n/)
    await json.until('stdout', /"id":1,.*\n/)
    await at('session', 'use', 'acme-viewer')
    await ask()
    await plain.until('stdout', /\n2\t.*acme-viewer.*\n/)
    await json.until('stdout', /"id":2,.*\n/)
    plain.child.kill('SIGINT')
    expect(await plain.ended).toMatchObject({ code: 0, stderr: '' })
    dev.child.kill('SIGTERM')
    expect(await json.ended).toMatchObject({ code: 1, stderr: `error: The mock at ${url} has ended.\n` })
  })
})
