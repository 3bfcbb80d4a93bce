import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import demo from '../../../fixtures/demo.json' with { type: 'json' }
import { controlTools } from '../../../src/cli/mcp/tools.js'
import { controlTable } from '../../../src/mock/controls/control-table.js'
import { startRelay } from '../../browser/relay.js'
import { emptyFolder, listening, start } from '../cli-process.js'
import { post, runningMock } from '../mock/running-mock.js'
import { startMcp } from './mcp-session.js'

/** A mock, and a connected client. */
async function connected() {
  const { url, request } = await runningMock()
  const { initialize, result, tool, request: call } = startMcp(['--url', url])
  await initialize()
  return { request, result, tool, call }
}

type Tool = {
  name: string
  description: string
  inputSchema: { properties?: object }
  annotations: { readOnlyHint?: boolean; destructiveHint?: boolean }
}

test('every control has a tool of its own, or names what an agent uses in its place', () => {
  const tools = Object.values(controlTable).map(({ tool }) => (typeof tool === 'string' ? tool : tool.name))
  expect(tools).not.toContain('')
  const names = Object.values(controlTable).flatMap(({ tool }) => (typeof tool === 'string' ? [] : tool.name))
  expect(Object.keys(controlTools).sort()).toEqual(names.sort())
})

describe('dashboard-api mcp', () => {
  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'speaks protocol version %s',
    async (version) => {
      const { url } = await runningMock()
      const session = startMcp(['--url', url])
      expect(await session.initialize(version)).toMatchObject({
        protocolVersion: version,
        serverInfo: { name: 'dashboard-api' },
        capabilities: { tools: {}, resources: {}, prompts: {} },
      })
      expect((await session.tool('overview')).json()).toMatchObject({ personas: { active: 'acme-owner' } })
    },
  )

  test('forces an outcome, shows the request with its bodies, and sends it again as another persona', async () => {
    const { request, tool } = await connected()
    await tool('force_outcome', { target: 'createProject', outcome: 'PROJECT_NAME_TAKEN', times: 1 })
    expect((await request(post('Apollo'))).status).toBe(409)
    expect((await request(post('Apollo'))).status).toBe(201)
    const { requests } = (await tool('read_log', { failed: true })).json()
    expect(requests).toMatchObject([{ id: 1, status: 409, code: 'PROJECT_NAME_TAKEN', forcedBy: 'scenario' }])
    expect((await tool('read_request', { id: 1 })).json()).toMatchObject({
      why: expect.stringContaining('scenario createProject'),
      request: { body: { text: '{"name":"Apollo"}' } },
      response: { body: { text: expect.stringContaining('PROJECT_NAME_TAKEN') } },
    })
    const again = await tool('send_again', { id: 2, session: 'acme-viewer' })
    expect(again.json()).toMatchObject({ id: 3, status: 403, session: 'acme-viewer' })
  })

  test('reads and edits records, rewinds, and undoes', async () => {
    const { request, tool } = await connected()
    const names = async () =>
      (await tool('list_records', { kind: 'projects', search: 'Apollo' })).json().records.length
    await request(post('Apollo'))
    expect(await names()).toBe(1)
    await tool('rewind', { id: 1 })
    expect(await names()).toBe(0)
    await tool('undo')
    expect(await names()).toBe(1)
    await tool('reset')
    expect(await names()).toBe(0)
  })

  test('names the valid values where a value is wrong', async () => {
    const { tool } = await connected()
    const target = await tool('force_outcome', { target: 'createProjct', outcome: 409, times: null })
    expect(target).toMatchObject({ isError: true, text: expect.stringContaining('Possible: createProject') })
    const kind = await tool('list_records', { kind: 'widgets' })
    expect(kind).toMatchObject({ isError: true, text: expect.stringContaining('projects') })
    const persona = await tool('use_persona', { id: 'nobody' })
    expect(persona).toMatchObject({ isError: true, text: expect.stringContaining('acme-owner') })
  })

  test('takes an operation by its method and path in every tool', async () => {
    const { request, tool } = await connected()
    const target = 'POST /v1/projects'
    await tool('set_delay', { target, ms: 1 })
    await tool('set_chaos', { target, errorRate: 0 })
    await tool('force_outcome', { target, outcome: 409, times: 3 })
    const { scenarios, delay, chaos } = (await tool('overview')).json()
    expect(scenarios).toMatchObject([{ target: 'createProject' }])
    expect(Object.keys(delay.operations)).toEqual(['createProject'])
    expect(Object.keys(chaos.operations)).toEqual(['createProject'])
    expect((await tool('describe_operation', { target })).json().target).toBe('createProject')
    await tool('force_outcome', { target: 'patch /v1/projects/{projectId}', outcome: 404 })
    await tool('clear_chaos', { target })
    await tool('clear_forced', { target })
    expect((await tool('overview')).json()).toMatchObject({
      scenarios: [{ target: 'updateProject' }],
      chaos: { operations: {} },
    })
    expect((await request(post('Apollo'))).status).toBe(201)
  })

  test('takes the text of a value where a field takes no text, as the command line of an inspector sends it', async () => {
    const { tool } = await connected()
    const target = 'createProject'
    const forced = async (times: string) =>
      (await tool('force_outcome', { target, outcome: '409', times })).json()
    expect(await forced('2')).toMatchObject([{ times: 2 }])
    expect((await forced('null'))[0].times).toBeUndefined()
    expect(await tool('force_outcome', { target, outcome: '409', times: 'two' })).toMatchObject({
      isError: true,
    })
    const added = await tool('add_record', { kind: 'projects', record: '{"name":"2"}' })
    expect(added.json()).toMatchObject({ record: { name: '2' } })
    // Also where it takes texts: no persona, space or delay has this name.
    expect((await tool('use_persona', { id: 'null' })).json().active).toBeUndefined()
    expect((await tool('use_space', { name: 'null' })).json()).toEqual({ space: null })
    expect((await tool('set_delay', { ms: 'null' })).isError).toBe(false)
  })

  test('takes a body that is JSON in a string, and headers of a response', async () => {
    const { request, tool } = await connected()
    const response = { status: 503, headers: { 'Retry-After': '7' } }
    const body = { error: 'Busy', code: 'SERVICE_UNAVAILABLE', docsUrl: 'https://docs.test/' }
    for (const content of [{ body: JSON.stringify(body) }, { text: JSON.stringify(body) }]) {
      const set = await tool('force_outcome', {
        target: 'listProjects',
        response: { ...response, ...content },
      })
      expect(set).toMatchObject({ isError: false })
      const { status, headers } = await request()
      expect([status, headers.get('retry-after')]).toEqual([503, '7'])
    }
    const refused = await tool('force_outcome', {
      target: 'listProjects',
      response: { body: '{"projects":1}' },
    })
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('projects: ') })
    const length = { body, status: 503, headers: { 'content-length': '1' } }
    expect(await tool('force_outcome', { target: 'listProjects', response: length })).toMatchObject({
      isError: true,
      text: expect.stringContaining('The mock itself sets the header'),
    })
  })

  test('names the valid keys, has real bounds, and cuts errors as answers', async () => {
    const { result, tool } = await connected()
    const unknown = await tool('set_delay', { ms: 1, operation: 'createProject' })
    expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining('Possible: ms, target') })
    expect(await tool('overview', { bogus: 1 })).toMatchObject({
      text: expect.stringContaining('Possible: '),
    })
    const misplaced = { target: 'createProject', response: { body: {} }, unchecked: true }
    expect((await tool('force_outcome', misplaced)).text).toContain(
      'Unknown: unchecked (a field of response).',
    )
    for (const [name, given, expected] of [
      ['read_log', { limit: 0 }, 'limit: Expected a whole number from 1.'],
      ['read_log', { since: -1 }, 'since: Expected a whole number from 0.'],
      ['read_more', { id: 0 }, 'id: Expected a whole number from 1.'],
    ] as const)
      expect(await tool(name, given)).toMatchObject({
        isError: true,
        text: expect.stringContaining(expected),
      })
    const missing = await tool('set_delay')
    expect(missing.text).toContain('ms: Expected milliseconds, as 300 or 200-800.')
    expect(JSON.stringify(await result('tools/list'))).not.toContain('9007199254740991')
    const long = await tool('force_outcome', { target: 'x'.repeat(50_000), outcome: 500 })
    expect(long.isError).toBe(true)
    expect(long.text.length).toBeLessThan(21_000)
    expect(long.text).toMatch(/Read on with read_more and id: 1\.$/)
    expect((await tool('read_more', { id: 1 })).isError).toBe(false)
    expect(await tool('read_more', { id: 99 })).toMatchObject({ isError: true })
  })

  test('defines all tools in less than 4,000 tokens, each with its effect and a description', async () => {
    const { result, tool } = await connected()
    const tools = (await result('tools/list')).tools as Tool[]
    // A token has about four bytes.
    expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(16_000)
    expect(tools.filter(({ description }) => !description)).toEqual([])
    const before = (await tool('list_records', { kind: 'projects' })).text
    const sample = { kind: 'projects', id: 1, target: 'createProject', timeout: 0 }
    for (const { name, inputSchema, annotations } of tools) {
      if (!annotations.readOnlyHint) continue
      const fields = Object.entries(sample).filter(([field]) => field in (inputSchema.properties ?? {}))
      await tool(name, Object.fromEntries(fields))
    }
    expect((await tool('list_records', { kind: 'projects' })).text).toBe(before)
    const destructive = tools.filter(({ annotations }) => annotations.destructiveHint)
    expect(destructive.map(({ name }) => name)).toEqual(['save_state', 'create_space', 'remove_space'])
  })

  test('undoes every tool that changes the mock and is not destructive', async () => {
    const { request, result, tool } = await connected()
    const file = join(emptyFolder(), 'state.json')
    writeFileSync(file, JSON.stringify({ ...demo, waitlist: [] }))
    await request(post('Apollo'))
    const { id } = (await tool('list_records', { kind: 'projects', search: 'Apollo' })).json().records[0]
    await tool('save_snapshot', { name: 'one' })
    const project = { kind: 'projects', key: id }
    const calls: Record<string, object> = {
      add_persona: { id: 'new', email: 'new@example.com' },
      remove_persona: { id: 'globex-owner' },
      expire_persona: { id: 'acme-member' },
      add_record: { kind: 'waitlist', record: { email: 'new@example.com' } },
      generate_projects: { count: 20, session: 'globex-owner' },
      set_record: { ...project, fields: { name: 'Artemis' } },
      remove_record: project,
      send_again: { id: 1, body: '{"name":"Gemini"}' },
      rewind: { id: 1 },
      load_snapshot: { name: 'one' },
      reset: {},
      use_persona: { id: 'acme-viewer' },
      force_outcome: { target: 'listProjects', outcome: 'hang' },
      clear_forced: {},
      set_delay: { ms: 1 },
      set_chaos: { errorRate: 0 },
      clear_chaos: {},
      set_clock: { at: '2026-01-01T00:00:00Z' },
      save_snapshot: { name: 'one' },
      delete_snapshot: { name: 'one' },
      clear_log: {},
      load_state: { file },
    }
    const first: Record<string, string> = { clear_forced: 'force_outcome', clear_chaos: 'set_chaos' }
    const undone: string[] = []
    for (const [name, args] of Object.entries(calls)) {
      for (const earlier of [first[name] ?? []].flat()) await tool(earlier, calls[earlier])
      // `undo` reverts this change, if it does not revert that of the tool.
      const email = `${name}@example.com`
      await tool('add_record', { kind: 'waitlist', record: { email } })
      expect(await tool(name, args), name).toMatchObject({ isError: false })
      expect(await tool('undo'), name).toMatchObject({ isError: false })
      const { records } = (await tool('list_records', { kind: 'waitlist', search: email })).json()
      if (records.length === 1) undone.push(name)
    }
    expect(undone).toEqual(Object.keys(calls))
    // A client need not ask before these: nothing is lost.
    const tools = (await result('tools/list')).tools as Tool[]
    const others = tools.filter(({ annotations }) => annotations.destructiveHint === false)
    const notUndone = others.map(({ name }) => name).filter((name) => !undone.includes(name))
    expect(notUndone.sort()).toEqual(['redo', 'undo', 'use_space'])
  })

  test('describes an operation, a handler or a named scenario', async () => {
    const { tool } = await connected()
    const described = async (target: string) => (await tool('describe_operation', { target })).json()
    expect(await described('createProject')).toMatchObject({
      who: expect.stringContaining('create:projects'),
      body: { name: expect.stringContaining('at least 1 character') },
      responses: { '409 PROJECT_NAME_TAKEN': expect.any(String) },
      otherOutcomes: expect.arrayContaining(['drop']),
    })
    expect(await described('empty')).toMatchObject({ kind: 'scenario', about: expect.any(String) })
    expect(await tool('describe_operation', { target: 'createProjct' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('Did you mean createProject?'),
    })
    expect((await tool('list_targets')).text).toContain('PROJECT_NAME_TAKEN')
  })

  test('says how to remove a record that others need, in the words of tools, not of commands', async () => {
    const { result, tool } = await connected()
    const dependants = await tool('remove_record', { kind: 'teams', key: 'team-acme' })
    expect(dependants).toMatchObject({ isError: true, text: expect.stringContaining('With dependants') })
    for (const text of [JSON.stringify(await result('tools/list')), dependants.text]) {
      expect(text).not.toMatch(/--\w|"flags"|"help"|mock log|:=|command/)
    }
  })

  test('waits for a request, and shows it with its bodies', async () => {
    const { request, tool } = await connected()
    const waiting = tool('wait_for_request', { target: 'createProject', body: { name: 'Apollo' } })
    await request(post('Gemini'))
    await request(post('Apollo'))
    expect((await waiting).json()).toMatchObject({ id: 2, status: 201, body: { name: 'Apollo' } })
    const late = await tool('wait_for_request', { target: 'createProject', since: 2, timeout: 1 })
    expect(late).toMatchObject({ isError: true, text: expect.stringContaining('There were none.') })
  })

  test('expects calls, and says how those that came differ', async () => {
    const { request, tool } = await connected()
    await request(post('Apolo'))
    const target = 'POST /v1/projects'
    expect((await tool('expect_calls', { target, times: 1, status: '2xx' })).json()).toMatchObject([
      { id: 1 },
    ])
    const missed = await tool('expect_calls', { target, body: { name: 'Apollo' }, timeout: 0 })
    expect(missed).toMatchObject({
      isError: true,
      text: expect.stringContaining('request 1 (acme-owner, 201): name is "Apolo", not "Apollo"'),
    })
  })

  test('filters the log', async () => {
    const { request, tool } = await connected()
    await request()
    await request(post(''))
    await request(post('Apollo'))
    const ids = async (filter: object) =>
      (await tool('read_log', filter)).json().requests.map(({ id }: { id: number }) => id)
    expect(await ids({ target: 'POST /v1/projects' })).toEqual([2, 3])
    expect(await ids({ status: '4xx' })).toEqual([2])
    expect(await ids({ text: 'apollo -validation' })).toEqual([3])
    expect(await ids({ session: 'signed out' })).toEqual([])
    expect(await ids({ since: 1, limit: 1 })).toEqual([2])
    expect(await tool('read_log', { target: 'createProjct' })).toMatchObject({ isError: true })
    expect(await tool('read_log', { status: 'bad' })).toMatchObject({ isError: true })
  })

  test('saves the state as a file, loads it, and replaces no other file', async () => {
    const cwd = emptyFolder()
    const { url, request } = await runningMock()
    const { initialize, tool } = startMcp(['--url', url], { cwd })
    await initialize()
    await request(post('Apollo'))
    expect((await tool('save_state', { file: 'state.json' })).isError).toBe(false)
    await tool('reset')
    expect((await tool('load_state', { file: 'state.json' })).isError).toBe(false)
    const { records } = (await tool('list_records', { kind: 'projects', search: 'Apollo' })).json()
    expect(records).toHaveLength(1)
    writeFileSync(join(cwd, 'other.json'), '{"mine":1}')
    for (const name of ['save_state', 'load_state']) {
      const refused = await tool(name, { file: 'other.json' })
      expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('other.json') })
    }
    expect(readFileSync(join(cwd, 'other.json'), 'utf8')).toBe('{"mine":1}')
  })

  test('creates, controls and removes a space', async () => {
    const { tool } = await connected()
    await tool('create_space', { name: 'mine' })
    expect((await tool('list_spaces')).json()).toEqual(['mine'])
    await tool('use_space', { name: 'mine' })
    await tool('use_persona', { id: 'acme-viewer' })
    const active = async () => (await tool('overview')).json().personas.active
    expect(await active()).toBe('acme-viewer')
    await tool('use_space', { name: null })
    expect(await active()).toBe('acme-owner')
    await tool('use_space', { name: 'mine' })
    const removed = await tool('remove_space', { name: 'mine' })
    expect(removed.said).toContain('These tools control the common space now.')
    expect((await tool('list_spaces')).json()).toEqual([])
    expect(await active()).toBe('acme-owner')
    expect((await tool('use_space', { name: 'mine' })).said).toContain('The space mine is new')
    expect((await tool('use_space', { name: 'mine' })).said).toBe('')
    expect(await tool('use_space', { name: 'no name' })).toMatchObject({ isError: true })
  })

  test('signs out', async () => {
    const { tool } = await connected()
    expect((await tool('use_persona', { id: null })).json().active).toBeUndefined()
    await tool('use_persona', { id: 'acme-viewer' })
    expect((await tool('use_persona', { id: 'signed out' })).json().active).toBeUndefined()
    expect((await tool('use_persona', { id: 'nobody' })).text).toMatch(
      /no persona "nobody"\. .*, signed out\./,
    )
  })

  test('begins the overview with the last request that failed', async () => {
    const { request, tool } = await connected()
    const last = async () => (await tool('overview')).json().lastFailure
    await request()
    expect(await last()).toBeNull()
    await request(post(''))
    await request()
    expect(await last()).toMatchObject({
      id: 2,
      method: 'POST',
      path: '/v1/projects',
      status: 422,
      code: 'VALIDATION_FAILED',
      session: 'acme-owner',
    })
  })

  test('cuts a long result, and continues it on request', async () => {
    const { request, tool } = await connected()
    const description = 'long '.repeat(12_000)
    await request({ method: 'POST', body: JSON.stringify({ name: 'Long', description }) })
    let text = ''
    let part = (await tool('list_records', { kind: 'projects', search: 'Long' })).text
    for (;;) {
      const [, kept = part, id] = /^(.*)\n… \d+ more characters\. .*id: (\d+)\.$/s.exec(part) ?? []
      expect(part.length).toBeLessThan(21_000)
      text += kept
      if (id === undefined) break
      part = (await tool('read_more', { id: Number(id) })).text
    }
    expect(JSON.parse(text)).toMatchObject({ records: [{ description }] })
  })

  test('reads a log in parts', async () => {
    const { request, tool } = await connected()
    for (let i = 0; i < 10; i += 1) await request()
    const newest = (await tool('read_log', { limit: 3 })).json()
    expect(newest.requests.map(({ id }: { id: number }) => id)).toEqual([8, 9, 10])
    expect(newest.more).toBe('Read older ones with before: 8.')
    expect((await tool('read_log', { limit: 1, before: 8 })).json().requests).toMatchObject([{ id: 7 }])
  })

  test('has the interface, the log, the state and the page of each code as resources', async () => {
    const { request, result, call } = await connected()
    await request()
    const read = async (uri: string) => {
      const { contents } = (await result('resources/read', { uri })) as { contents: { text: string }[] }
      return contents[0]?.text ?? ''
    }
    expect(JSON.parse(await read('mock://openapi'))).toMatchObject({
      openapi: expect.stringMatching(/^3\.1/),
    })
    expect(JSON.parse(await read('mock://log'))).toMatchObject([{ id: 1, status: 200 }])
    expect(JSON.parse(await read('mock://state'))).toHaveProperty('projects')
    const lists = [await result('resources/list'), await result('resources/templates/list')]
    const listed = lists.flatMap(({ resources = [], resourceTemplates = [] }) => [
      ...(resources as { uri: string; description?: string }[]),
      ...(resourceTemplates as { uri: string; description?: string }[]),
    ])
    expect(listed.length).toBeGreaterThan(4)
    expect(listed.filter(({ description }) => !description)).toEqual([])
    expect(await read('mock://errors/PROJECT_NAME_TAKEN')).toMatch(/^# PROJECT_NAME_TAKEN \(409\)/)
    const { error } = await call('resources/read', { uri: 'mock://errors/LOST' })
    expect(error?.message).toMatch(/There is no code LOST\. Possible: AUTH_REQUIRED/)
  })

  test('has prompts with the context that an agent needs', async () => {
    const { request, result } = await connected()
    const prompt = async (name: string, args?: object) => {
      const { messages } = (await result('prompts/get', { name, arguments: args })) as {
        messages: { content: { text: string } }[]
      }
      return messages[0]?.content.text
    }
    expect(await prompt('reproduce_last_failure')).toContain('No request to the mock has failed')
    await request(post(''))
    const failure = await prompt('reproduce_last_failure')
    expect(failure).toContain('VALIDATION_FAILED')
    expect(failure).toContain('expect(response.status).toBe(422)')
    const states = await prompt('states_of_screen', { screen: 'the list of projects' })
    expect(states).toContain('listProjects (GET /v1/projects): 401 AUTH_REQUIRED')
  })

  test('explains how to start a mock where none runs, and continues with a restarted one', async () => {
    const dev = start(['dev', '--port', '0', '--json'], { cwd: emptyFolder() })
    const url = await listening(dev)
    const { initialize, tool } = startMcp(['--url', url])
    await initialize()
    expect((await tool('overview')).isError).toBe(false)
    dev.child.kill()
    await dev.ended
    const lost = await tool('overview')
    expect(lost).toMatchObject({
      isError: true,
      text: expect.stringMatching(/No mock answers at .*dashboard-api dev/),
    })
    const again = start(['dev', '--port', new URL(url).port, '--strict-port', '--json'], {
      cwd: emptyFolder(),
    })
    await listening(again)
    expect((await tool('overview')).isError).toBe(false)
  })

  test('starts a mock with --start, and ends it when the client goes away', async () => {
    const { child, ended, initialize, tool, stderr } = startMcp(
      ['--start', '--url', 'http://127.0.0.1:0', '--', '--session', 'acme-viewer'],
      { cwd: emptyFolder() },
    )
    await initialize()
    expect((await tool('overview')).json()).toMatchObject({ personas: { active: 'acme-viewer' } })
    const url = /Started a mock at (\S+)\.\n/.exec(stderr())?.[1] ?? ''
    expect((await fetch(url)).status).toBe(200)
    child.stdin.end()
    expect(await ended).toEqual([0, null])
    await expect(fetch(url)).rejects.toThrow()
  })

  test('starts no other mock when the client goes away during a call', async () => {
    const args = ['--start', '--url', 'http://127.0.0.1:0']
    const { child, ended, initialize, tool, request, stderr } = startMcp(args, { cwd: emptyFolder() })
    await initialize()
    expect((await tool('overview')).isError).toBe(false)
    const waiting = { name: 'wait_for_request', arguments: { target: 'createProject', timeout: 60_000 } }
    void request('tools/call', waiting)
    // The answer to a later call shows that the first has begun.
    await tool('list_personas')
    child.stdin.end()
    // Its mock has the same stderr: all of them have ended.
    expect(await ended).toEqual([0, null])
    expect(stderr().match(/Started a mock at/g)).toHaveLength(1)
  })

  test('keeps its mock where a call meets another server', async () => {
    const { url } = await runningMock()
    const relayed = { to: url }
    const relay = await startRelay(() => relayed.to)
    onTestFinished(relay.close)
    const { initialize, tool, stderr } = startMcp(['--start', '--url', relay.url], { cwd: emptyFolder() })
    await initialize()
    expect((await tool('overview')).isError).toBe(false)
    relayed.to = await aProductionServer()
    const { isError, text } = await tool('list_personas')
    expect({ isError, text }).toMatchObject({ isError: true, text: expect.stringContaining('is not a') })
    expect(stderr()).not.toContain('Started a mock')
  })

  test('ends the mock of --start when it is killed', async () => {
    const { child, ended, initialize, tool, stderr } = startMcp(['--start', '--url', 'http://127.0.0.1:0'], {
      cwd: emptyFolder(),
    })
    await initialize()
    expect((await tool('overview')).isError).toBe(false)
    const url = /Started a mock at (\S+)\.\n/.exec(stderr())?.[1] ?? ''
    child.kill('SIGKILL')
    // The mock has the same stderr, so that it has ended as well.
    expect(await ended).toEqual([null, 'SIGKILL'])
    await expect(fetch(url)).rejects.toThrow()
  })

  test('says why the mock of --start does not start, and starts it once that is mended', async () => {
    const cwd = emptyFolder()
    const file = join(cwd, 'state.json')
    writeFileSync(file, '{')
    const args = ['--start', '--url', 'http://127.0.0.1:0', '--', '--fixtures', 'state.json']
    const { initialize, tool } = startMcp(args, { cwd })
    await initialize()
    expect(await tool('overview')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/The mock did not start.*state\.json/s),
    })
    writeFileSync(file, JSON.stringify(demo))
    expect((await tool('overview')).json()).toMatchObject({ project: cwd, fixtures: { file: 'state.json' } })
  })

  test('starts the mock again after it has gone', async () => {
    const cwd = emptyFolder()
    writeFileSync(join(cwd, 'handlers.js'), `console.log('mock', process.pid)\nexport const handlers = []\n`)
    const args = ['--start', '--url', 'http://127.0.0.1:0', '--', '--handlers', 'handlers.js']
    const { initialize, tool, stderr } = startMcp(args, { cwd })
    await initialize()
    const { url } = (await tool('overview')).json()
    process.kill(Number(/mock (\d+)/.exec(stderr())?.[1]), 'SIGKILL')
    await expect.poll(() => fetch(url).then(String, () => 'gone')).toBe('gone')
    const again = (await tool('overview')).json()
    expect(again).toMatchObject({ project: cwd, lastFailure: null })
    expect((await fetch(again.url)).status).toBe(200)
  })

  test('starts a mock of its own for each project', async () => {
    const folders = [emptyFolder(), emptyFolder()]
    const sessions = folders.map((cwd) => startMcp(['--start'], { cwd }))
    const overviews: { url: string; project: string }[] = []
    for (const { initialize, tool } of sessions) {
      await initialize()
      overviews.push((await tool('overview')).json())
    }
    expect(overviews.map(({ project }) => project)).toEqual(folders)
    expect(new Set(overviews.map(({ url }) => url)).size).toBe(2)
    const [first, second] = sessions
    first?.child.stdin.end()
    await first?.ended
    expect((await second?.tool('overview'))?.isError).toBe(false)
  })

  test('is not disturbed by what handlers print, and tells of a broken save until it is mended', async () => {
    const cwd = emptyFolder()
    const file = join(cwd, 'handlers.js')
    const good = `console.log('loaded')\nprocess.stdout.write('more')\nexport const handlers = []\n`
    writeFileSync(file, good)
    const args = ['--start', '--url', 'http://127.0.0.1:0', '--', '--handlers', 'handlers.js']
    const { initialize, tool, result, stderr } = startMcp(args, { cwd })
    await initialize()
    expect((await tool('overview')).json()).toMatchObject({ handlers: { file: 'handlers.js' } })
    expect(stderr()).toContain('loaded\nmore')
    const texts = async () =>
      ((await result('tools/call', { name: 'list_personas' })).content as { text: string }[]).map(
        (each) => each.text,
      )
    expect(await texts()).toHaveLength(1)
    writeFileSync(file, 'export const handlers = [')
    await expect.poll(texts, { timeout: 30_000 }).toHaveLength(2)
    expect((await texts())[1]).toMatch(/^handlers\.js cannot be used, the last good handlers stay: /)
    expect((await tool('overview')).json()).toMatchObject({ handlers: { error: expect.any(String) } })
    const refused = (await result('tools/call', { name: 'undo', arguments: { id: 999 } })) as {
      content: object[]
    }
    expect(refused.content).toHaveLength(2)
    writeFileSync(file, good)
    await expect.poll(texts, { timeout: 30_000 }).toHaveLength(1)
  })

  test('refuses a server that is not a mock', async () => {
    const { initialize, tool } = startMcp(['--url', await aProductionServer()])
    await initialize()
    for (const name of ['overview', 'reset', 'use_persona']) {
      const { isError, text } = await tool(name, name === 'use_persona' ? { id: 'acme-owner' } : {})
      expect({ isError, text }).toMatchObject({
        isError: true,
        text: expect.stringContaining('is not a dashboard-api mock'),
      })
    }
  })

  test('serves two clients at once, and answers other calls while one is cancelled', async () => {
    const { url, request } = await runningMock()
    const [one, two] = [startMcp(['--url', url]), startMcp(['--url', url])]
    await Promise.all([one.initialize(), two.initialize()])
    await request()
    await one.tool('set_delay', { ms: 60_000 })
    void one.request('tools/call', { name: 'send_again', arguments: { id: 1 } })
    one.send({ method: 'notifications/cancelled', params: { requestId: one.lastId() } })
    expect((await two.tool('overview')).json()).toMatchObject({ delay: { all: '60000' } })
    expect((await one.tool('overview')).isError).toBe(false)
    one.child.stdin.end()
    expect(await one.ended).toEqual([0, null])
  })
})

async function aProductionServer(): Promise<string> {
  const env = { DASHBOARD_API_SESSION_SECRET: 'a-secret-of-at-least-32-bytes-for-tests' }
  return listening(start(['serve', '--port', '0', '--json'], { cwd: emptyFolder(), env }))
}
