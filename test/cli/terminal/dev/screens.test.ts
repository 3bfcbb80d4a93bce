import { describe, expect, test } from 'vitest'
import { readMockSnapshot } from '../../../../src/cli/terminal/dev/mock-snapshot.js'
import { afterKeys, createMock, logEntries, mockSnapshot, url } from './dev-fixtures.js'

/** A mock whose controls the keys change. */
async function workbench() {
  const { controls } = createMock()
  const snapshot = async () => ({ url, ...(await readMockSnapshot(controls)) })
  return {
    controls,
    snapshot,
    /** Presses keys, runs what the last one does, and returns its report. */
    press: async (...keys: string[]) => afterKeys(await snapshot(), ...keys).action.effect?.(controls),
  }
}

describe('keys of the dev screen', () => {
  test('q quits from the log, Ctrl+C from every screen', async () => {
    const mock = await mockSnapshot({ log: logEntries(1) })
    expect(afterKeys(mock, 'q').action).toEqual({ does: 'quit' })
    for (const keys of [[], ['p'], ['f', 'enter'], ['d', 'enter'], ['w'], ['enter'], ['?']]) {
      expect(afterKeys(mock, ...keys, 'interrupt').action).toEqual({ does: 'quit' })
    }
    expect(afterKeys(mock, 'p', 'q').screen).toMatchObject({ filter: 'q' })
  })

  test('Escape goes back', async () => {
    const mock = await mockSnapshot({ log: logEntries(2) })
    expect(afterKeys(mock, 'f', 'enter', 'escape').screen).toMatchObject({ list: { type: 'target' } })
    expect(afterKeys(mock, 'f', 'enter', 'escape', 'escape').screen).toEqual({ type: 'log' })
    expect(afterKeys(mock, 'd', 'enter', 'escape').screen).toEqual({ type: 'log' })
    expect(afterKeys(mock, 'p', 'x', 'escape').screen).toMatchObject({ type: 'list', filter: '' })
    expect(afterKeys(mock, 'down', 'down', 'enter', 'escape').screen).toEqual({ type: 'log', selected: 1 })
    for (const key of ['?', 'w']) expect(afterKeys(mock, key, 'escape').screen).toEqual({ type: 'log' })
  })

  test('p selects a persona by arrows, starting at the active one, or by a filter of name and note', async () => {
    const { controls, press } = await workbench()
    const active = async () => (await controls.sessions.list()).active
    expect(await press('p', 'down', 'enter')).toBe('session=active now stands for acme-member.')
    expect(await active()).toBe('acme-member')
    await press('p', 'enter')
    expect(await active()).toBe('acme-member')
    await press('p', 'GLO', 'enter')
    expect(await active()).toBe('globex-owner')
    await press('p', 'ran out', 'enter')
    expect(await active()).toBe('expired')
    expect(await press('p', 'xyz', 'enter')).toBeUndefined()
  })

  test('f forces an outcome, until cleared or once, and clears it', async () => {
    const { controls, press, snapshot } = await workbench()
    expect(await press('f', 'create', 'enter', 'tab', 'taken', 'enter')).toBe(
      'Forced: createProject PROJECT_NAME_TAKEN, once.',
    )
    expect(await controls.scenarios.list()).toMatchObject([{ target: 'createProject', times: 1 }])
    // What is forced comes first.
    expect(afterKeys(await snapshot(), 'f', 'down').action.screen).toMatchObject({ index: 2 })
    expect(await press('f', 'create', 'enter', 'home', 'enter')).toBe('Nothing is forced on createProject.')
    await press('f', 'duplicate', 'enter')
    expect(await controls.scenarios.list()).toEqual([{ target: 'duplicate-names' }])
    await press('f', 'nothing', 'enter')
    expect(await controls.scenarios.list()).toEqual([])
  })

  test('f and d concern the selected request', async () => {
    const mock = await mockSnapshot({ log: logEntries(2) })
    expect(afterKeys(mock, 'f').screen).toMatchObject({ list: { type: 'target' } })
    expect(afterKeys(mock, 'down', 'f').screen).toMatchObject({
      list: { target: 'listProjects', once: false },
    })
    expect(afterKeys(mock, 'down', 'd').screen).toMatchObject({ type: 'prompt', target: 'listProjects' })
  })

  test('d delays everything or one operation; an empty text removes the delay', async () => {
    const { controls, press } = await workbench()
    expect(await press('d', 'enter', '300', 'enter')).toBe('Set the delay to 300 ms.')
    await press('d', 'getS', 'enter', '2', '0', 'backspace', '5', 'enter')
    expect(await controls.delay.get()).toEqual({ all: '300', operations: { getSession: '25' } })
    await expect(press('d', 'enter', 'soon', 'enter')).rejects.toThrow('"soon" is not a delay')
    expect(await press('d', 'enter', '9', 'clear', 'enter')).toBe('Removed the delay.')
    expect((await controls.delay.get()).all).toBe('0')
  })

  test('u, y and r undo, make again and reset', async () => {
    const { controls, press } = await workbench()
    const count = async () => (await controls.data.list('waitlist')).total
    const before = await count()
    await controls.data.add('waitlist', { email: 'a@b.example' })
    expect(await press('u')).toMatch(/^Undone: /)
    expect(await count()).toBe(before)
    expect(await press('y')).toMatch(/^Made again: /)
    expect(await press('r', 'enter')).toBe('The mock was reset.')
    expect(await count()).toBe(before)
    expect(await press('r', 'down', 'enter')).toBeUndefined()
    await expect(press('u', 'u', 'y', 'y')).rejects.toThrow()
  })

  test('what is no key of the log does nothing, or names the page', async () => {
    const mock = await mockSnapshot()
    for (const text of ['pf', 'constructor', '__proto__', 'enter', ' ']) {
      expect(afterKeys(mock, text)).toEqual({ screen: { type: 'log' }, action: {} })
    }
    expect(afterKeys(await mockSnapshot({ log: [] }), '?', 'constructor').screen).toEqual({ type: 'log' })
    for (const key of ['e', 'x', 'c', 's']) expect(afterKeys(mock, key).action.notice).toContain('page')
    expect(afterKeys(mock, 'o').action).toEqual({ does: 'open' })
  })
})
