import { describe, expect, test } from 'vitest'
import { reduceKey, reduceOutcome } from '../../../../src/cli/terminal/dev/reduce.js'
import { afterKeys, logEntries, mockSnapshot } from './dev-fixtures.js'

describe('keys of the dev screen', () => {
  test('q quits from the log, Ctrl+C from every screen', async () => {
    const mock = await mockSnapshot({ log: logEntries(1) })
    expect(afterKeys(mock, 'q').effect).toEqual({ type: 'quit' })
    for (const keys of [[], ['p'], ['f', 'enter'], ['d', 'enter'], ['s'], ['enter'], ['?']]) {
      expect(afterKeys(mock, ...keys, 'interrupt').effect).toEqual({ type: 'quit' })
    }
    expect(afterKeys(mock, 'p', 'q')).toMatchObject({ effect: undefined, screen: { filter: 'q' } })
  })

  test('Escape goes back one step', async () => {
    const mock = await mockSnapshot({ log: logEntries(2) })
    expect(afterKeys(mock, 'f', 'enter', 'escape').screen).toMatchObject({ list: { type: 'target' } })
    expect(afterKeys(mock, 'f', 'enter', 'escape', 'escape').screen).toEqual({ type: 'log' })
    expect(afterKeys(mock, 'd', 'enter', 'escape').screen).toMatchObject({ list: { type: 'delay' } })
    expect(afterKeys(mock, 'p', 'x', 'escape').screen).toMatchObject({ type: 'list', filter: '' })
    expect(afterKeys(mock, 'down', 'down', 'enter', 'escape').screen).toEqual({ type: 'log', selected: 1 })
    expect(afterKeys(mock, '?', 'escape').screen).toEqual({ type: 'log' })
  })

  test('arrows select a persona, starting at the active one, and stay within the list', async () => {
    const mock = await mockSnapshot()
    expect(afterKeys(mock, 'p', 'down', 'enter').effect).toEqual({ type: 'use', id: 'acme-member' })
    expect(afterKeys(mock, 'p', 'up', 'enter').effect).toEqual({ type: 'use', id: 'acme-owner' })
    expect(afterKeys(mock, 'p', 'end', 'down', 'enter').effect).toEqual({ type: 'use', id: 'expired' })
    mock.sessions.active = 'globex-owner'
    expect(afterKeys(mock, 'p', 'enter').effect).toEqual({ type: 'use', id: 'globex-owner' })
  })

  test('u and y step over changes; w and a concern the selected request, at first the newest', async () => {
    const mock = await mockSnapshot({ log: logEntries(3) })
    const [newest, second] = mock.log.map(({ id }) => id)
    expect(afterKeys(mock, 'u').effect).toEqual({ type: 'undo' })
    expect(afterKeys(mock, 'y').effect).toEqual({ type: 'redo' })
    expect(afterKeys(mock, 'w').effect).toEqual({ type: 'rewind', id: newest })
    expect(afterKeys(mock, 'down', 'down', 'w').effect).toEqual({ type: 'rewind', id: second })
    expect(afterKeys(mock, 'down', 'down', 'enter', 'a').effect).toEqual({ type: 'send', id: second })
    expect(afterKeys(mock, 'enter', 'w').effect).toEqual({ type: 'rewind', id: newest })
    const empty = await mockSnapshot({ log: [] })
    expect(afterKeys(empty, 'w')).toEqual({ ...afterKeys(empty), effect: undefined })
  })

  test('letters filter by label and hint; Enter without a match does nothing', async () => {
    const mock = await mockSnapshot()
    expect(afterKeys(mock, 'p', 'GLO', 'enter').effect).toEqual({ type: 'use', id: 'globex-owner' })
    expect(afterKeys(mock, 'p', 'ran out', 'enter').effect).toEqual({ type: 'use', id: 'expired' })
    expect(afterKeys(mock, 'p', 'xyz', 'enter')).toMatchObject({
      effect: undefined,
      screen: { filter: 'xyz' },
    })
    expect(afterKeys(mock, 'p', 'xyz', 'down', 'backspace').screen).toMatchObject({ filter: 'xy', index: 0 })
  })

  test('pasted text that is no key of the log does nothing', async () => {
    const mock = await mockSnapshot()
    for (const text of ['pf', 'constructor', '__proto__']) {
      expect(afterKeys(mock, text)).toEqual({ ui: { screen: { type: 'log' } }, screen: { type: 'log' } })
    }
  })

  test('force an outcome until it is cleared, or once', async () => {
    const mock = await mockSnapshot()
    const effect = (...keys: string[]) => afterKeys(mock, 'f', ...keys).effect
    const scenario = { target: 'listProjects', outcome: 'INTERNAL_ERROR' }
    expect(effect('listP', 'enter', '500', 'enter')).toEqual({ type: 'force', scenario })
    expect(effect('listP', 'enter', 'tab', '500', 'enter')).toEqual({
      type: 'force',
      scenario: { ...scenario, times: 1 },
    })
    expect(effect('empty', 'enter')).toEqual({ type: 'force', scenario: { target: 'empty' } })
  })

  test('clear all scenarios, or a named one', async () => {
    const mock = await mockSnapshot({
      scenarios: [{ target: 'listProjects', outcome: 'hang' }, { target: 'empty' }],
    })
    expect(afterKeys(mock, 'f', 'home', 'enter').effect).toEqual({ type: 'clear' })
    expect(afterKeys(mock, 'f', 'no projects', 'enter').effect).toEqual({ type: 'clear', target: 'empty' })
    // The hint of the first choice, which clears everything, names the operation too.
    expect(afterKeys(mock, 'f', 'listP', 'enter')).toMatchObject({
      effect: undefined,
      screen: { list: { type: 'outcome', target: 'listProjects' } },
    })
  })

  test("give a response of one's own: checked or not, once or until cleared", async () => {
    const mock = await mockSnapshot()
    const keys = ['f', 'listP', 'enter', 'own', 'enter']
    const entered = { type: 'respond', target: 'listProjects', text: '{"projects":[]}' }
    expect(afterKeys(mock, ...keys, '{"projects":[]}', 'enter').effect).toEqual({
      ...entered,
      once: false,
      unchecked: false,
    })
    const once = ['f', 'listP', 'enter', 'tab', 'own', 'enter']
    expect(afterKeys(mock, ...once, 'tab', '{"projects":[]}', 'enter').effect).toEqual({
      ...entered,
      once: true,
      unchecked: true,
    })
    expect(afterKeys(mock, ...once, 'escape').screen).toMatchObject({ list: { type: 'outcome', once: true } })
  })

  test('set chaos of all operations or of one, and end it', async () => {
    const mock = await mockSnapshot()
    expect(afterKeys(mock, 'x', 'enter', '0.1 200-2000 ', 'enter').effect).toEqual({
      type: 'chaos',
      text: '0.1 200-2000',
    })
    expect(afterKeys(mock, 'x', 'getS', 'enter', 'enter').effect).toEqual({
      type: 'chaos',
      text: '',
      operation: 'getSession',
    })
    expect(afterKeys(mock, 'x', 'enter', 'escape').screen).toMatchObject({ list: { type: 'chaos' } })
  })

  test('set a delay of all operations or of one, and remove it', async () => {
    const mock = await mockSnapshot()
    expect(afterKeys(mock, 'd', 'enter', '300', 'enter').effect).toEqual({ type: 'delay', ms: '300' })
    expect(afterKeys(mock, 'd', 'getS', 'enter', '2', '0x', 'backspace', 'enter').effect).toEqual({
      type: 'delay',
      ms: '20',
      operation: 'getSession',
    })
    expect(afterKeys(mock, 'd', 'enter', 'enter').effect).toEqual({ type: 'delay', ms: '' })
  })

  test('stop the clock at a time, let it run from there, or return to the real time', async () => {
    const mock = await mockSnapshot()
    const at = '2026-01-01T00:00:00Z'
    expect(afterKeys(mock, 'c', `${at} `, 'enter').effect).toEqual({ type: 'clock', at, ticking: false })
    expect(afterKeys(mock, 'c', at, 'tab', 'enter').effect).toEqual({ type: 'clock', at, ticking: true })
    expect(afterKeys(mock, 'c', 'tab', 'tab', 'enter').effect).toEqual({
      type: 'clock',
      at: '',
      ticking: false,
    })
    expect(afterKeys(mock, 'c', 'escape').screen).toEqual({ type: 'log' })
  })

  test('Ctrl+U clears what was entered', async () => {
    const mock = await mockSnapshot()
    expect(afterKeys(mock, 's', 'name', 'clear', 'b').screen).toMatchObject({ text: 'b' })
    expect(afterKeys(mock, 'c', 'tab', 'noon', 'clear').screen).toMatchObject({
      text: '',
      prompt: { ticking: true },
    })
    expect(afterKeys(mock, 'p', 'view', 'clear').screen).toMatchObject({ type: 'list', filter: '' })
    expect(afterKeys(mock, 'p', 'clear').screen).toMatchObject({ type: 'list' })
  })

  test('save and load a snapshot; reset after a confirmation', async () => {
    const mock = await mockSnapshot({ snapshots: ['one', 'two'] })
    expect(afterKeys(mock, 's', ' a', 'enter').effect).toEqual({ type: 'save', name: 'a' })
    expect(afterKeys(mock, 'l', 'down', 'enter').effect).toEqual({ type: 'load', name: 'two' })
    expect(afterKeys(mock, 'r')).toMatchObject({ effect: undefined, screen: { list: { type: 'reset' } } })
    expect(afterKeys(mock, 'r', 'enter').effect).toEqual({ type: 'reset' })
    expect(afterKeys(mock, 'r', 'down', 'enter')).toMatchObject({
      effect: undefined,
      screen: { type: 'log' },
    })
  })

  test('select a request, which stays selected when others arrive, and show its details', async () => {
    const mock = await mockSnapshot({ log: logEntries(30) })
    expect(afterKeys(mock, 'down').screen).toEqual({ type: 'log', selected: 30 })
    const { ui } = afterKeys(mock, 'down', 'down', 'pageDown')
    expect(ui.screen).toEqual({ type: 'log', selected: 19 })
    const later = { ...mock, log: logEntries(40) }
    expect(reduceKey(ui, { key: 'enter' }, later, { width: 80, height: 24 }).ui.screen).toEqual({
      type: 'details',
      id: 19,
    })
    expect(afterKeys(mock, 'enter').screen).toEqual({ type: 'details', id: 30 })
    expect(afterKeys(mock, 'enter', 'down').screen).toEqual({ type: 'details', id: 29 })
    expect(afterKeys(mock, 'end', 'down').screen).toEqual({ type: 'log', selected: 1 })
    expect(afterKeys(await mockSnapshot(), 'down', 'enter').screen).toEqual({ type: 'log' })
  })

  test('the log returns after an effect; an error keeps the text that was entered', async () => {
    const mock = await mockSnapshot()
    const { ui } = afterKeys(mock, 's', 'no/name', 'enter')
    expect(reduceOutcome(ui, ui.screen, { failed: 'no' }).screen).toMatchObject({
      text: 'no/name',
      error: 'no',
    })
    expect(reduceOutcome(ui, ui.screen, { done: 'Saved.' })).toEqual({
      screen: { type: 'log' },
      notice: { type: 'success', text: 'Saved.' },
    })
    // The user has opened another screen in the meantime, which stays.
    const later = afterKeys(mock, 'p').ui
    expect(reduceOutcome(later, ui.screen, { done: 'Saved.' }).screen).toBe(later.screen)
  })
})
