import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { post, refused, rowsOf, runningMock } from './running-mock.js'

describe('dashboard-api delay, clock, reset', () => {
  test('sets and clears the delay, also of one operation', async () => {
    const { cli, json } = await runningMock()
    await cli('mock', 'delay', 'set', '80-90')
    expect(rowsOf(await cli('mock', 'delay', 'set', '5', 'createProject')).slice(1)).toEqual([
      ['all', '80-90'],
      ['createProject', '5'],
    ])
    expect(await json('mock', 'delay', 'clear', 'createProject')).toEqual({ all: '80-90', operations: {} })
    await cli('mock', 'delay', 'set', '5', 'createProject')
    await cli('mock', 'delay', 'clear')
    expect(await json('mock', 'delay', 'show')).toEqual({ all: '0', operations: {} })
    expect(await cli('mock', 'delay', 'set', 'soon')).toMatchObject(refused(/"soon" is not a delay.*200-800/))
    expect(await cli('mock', 'delay', 'set', '5', 'noOperation')).toMatchObject(refused(/createProject/))
  })

  test('stops the clock, lets it run, and clears it', async () => {
    const { cli, json, request } = await runningMock()
    const time = '2026-01-01T00:00:00.000Z'
    expect((await cli('mock', 'clock', 'set', '2026-01-01T00:00:00Z')).stdout).toBe(`${time}\tfixed\n`)
    expect(await (await request(post('New'))).json()).toMatchObject({ project: { createdAt: time } })
    expect(await json('mock', 'clock', 'set', time, '--ticking')).toMatchObject({ mode: 'ticking' })
    expect(await json('mock', 'clock', 'clear')).toMatchObject({ mode: 'real' })
    expect(await json('mock', 'clock', 'show')).toMatchObject({ mode: 'real' })
    expect(await cli('mock', 'clock', 'set', 'noon')).toMatchObject(refused(/is not a time with a zone/))
  })

  test('resets the mock', async () => {
    const { cli, request, json } = await runningMock()
    await request(post('New'))
    await cli('session', 'use', 'acme-viewer')
    await cli('mock', 'scenario', 'set', 'listProjects', '500')
    expect(await cli('reset')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(/initial state/),
    })
    const { projects } = (await (await request()).json()) as { projects: { name: string }[] }
    expect(projects.map(({ name }) => name)).not.toContain('New')
    expect(await json('session', 'current')).toMatchObject({ id: 'acme-owner' })
    expect(await json('reset')).toEqual({ ok: true })
  })
})

describe('dashboard-api space', () => {
  test('creates, lists and removes spaces', async () => {
    const { cli, json, request } = await runningMock()
    expect(await json('mock', 'space', 'list')).toEqual([])
    expect(await cli('mock', 'space', 'create', 'one')).toMatchObject({ code: 0, stderr: 'Created one.\n' })
    expect(await json('mock', 'scenario', 'set', 'empty', '--space', 'two')).toHaveLength(1)
    expect(await json('mock', 'space', 'list')).toEqual(['one', 'two'])
    const inTwo = async () =>
      (await (await request({}, { 'x-mock-space': 'two' })).json()) as { projects: [] }
    expect((await inTwo()).projects).toEqual([])
    await cli('mock', 'space', 'create', 'two')
    expect((await inTwo()).projects).toHaveLength(4)
    expect(await cli('mock', 'space', 'remove', 'two')).toMatchObject({ code: 0, stderr: 'Removed two.\n' })
    expect(await json('mock', 'space', 'list')).toEqual(['one'])
    expect(await cli('mock', 'space', 'remove', 'two')).toMatchObject(refused(/no space "two".*one/))
    expect(await cli('mock', 'space', 'create', 'a b')).toMatchObject(refused(/x-mock-space takes/))
  })
})

describe('dashboard-api snapshot and state', () => {
  test('saves, loads and deletes a snapshot', async () => {
    const { cli, request, json } = await runningMock()
    const before = await (await request()).json()
    expect(await cli('mock', 'snapshot', 'save', 'before')).toMatchObject({
      code: 0,
      stderr: 'Saved before.\n',
    })
    await request(post('New'))
    expect(await json('mock', 'snapshot', 'list')).toEqual(['before'])
    expect(await cli('mock', 'snapshot', 'load', 'before')).toMatchObject({ code: 0 })
    expect(await (await request()).json()).toEqual(before)
    expect(await cli('mock', 'snapshot', 'load', 'later')).toMatchObject(
      refused(/no snapshot "later".*before/),
    )
    expect(await cli('mock', 'snapshot', 'save', '../up')).toMatchObject(refused(/is not a snapshot name/))
    await cli('mock', 'snapshot', 'save', 'after')
    expect(await cli('mock', 'snapshot', 'delete', 'before')).toMatchObject({
      code: 0,
      stdout: 'Snapshot\nafter\n',
      stderr: 'Deleted before.\n',
    })
    expect(await cli('mock', 'snapshot', 'delete', 'before')).toMatchObject(
      refused(/no snapshot "before".*after/),
    )
  })

  test('keeps the persona of a loaded state, and says so where the state lacks it', async () => {
    const { cwd, cli } = await runningMock()
    await cli('session', 'use', 'acme-viewer')
    await cli('mock', 'snapshot', 'save', 'before')
    await cli('state', 'save', 'state.json')
    const state = JSON.parse(readFileSync(`${cwd}/state.json`, 'utf8'))
    const sessions = state.sessions.filter(({ id }: { id: string }) => id !== 'acme-viewer')
    writeFileSync(`${cwd}/state.json`, JSON.stringify({ ...state, sessions }))
    expect((await cli('mock', 'snapshot', 'load', 'before')).stderr).toBe('Loaded before.\n')
    expect((await cli('session', 'current')).stdout).toBe('acme-viewer\n')
    expect((await cli('state', 'load', 'state.json')).stderr).toBe(
      'Loaded state.json.\n' +
        'The state has no persona "acme-viewer": session=active stands for "acme-owner" now.\n',
    )
  })

  test('saves and exports the state, loads it again, and refuses an invalid file', async () => {
    const { cli, request, cwd } = await runningMock()
    expect(await cli('state', 'save', 'state.json')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'Wrote state.json.\n',
    })
    const text = readFileSync(`${cwd}/state.json`, 'utf8')
    expect((await cli('state', 'export')).stdout).toBe(text)
    const before = await (await request()).json()
    await request(post('New'))
    expect(await cli('state', 'load', 'state.json')).toMatchObject({ code: 0 })
    expect(await (await request()).json()).toEqual(before)

    writeFileSync(`${cwd}/invalid.json`, '{ "version": 1, "projects": [{}] }')
    expect(await cli('state', 'load', 'invalid.json')).toMatchObject(refused(/projects\[0\]\.name/))
    expect(await (await request()).json()).toEqual(before)
  })
})
