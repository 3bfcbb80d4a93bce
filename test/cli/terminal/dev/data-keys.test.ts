import { describe, expect, test, vi } from 'vitest'
import type { DataScreen } from '../../../../src/cli/terminal/dev/screens.js'
import { createWorkbench } from '../../../../src/cli/terminal/dev/workbench.js'
import { createMock, toKeyPress, url } from './dev-fixtures.js'

describe('the data on the dev screen', () => {
  async function start() {
    const { controls } = createMock()
    const bench = await createWorkbench({ url, controls, openPage: async () => {} }, () => {})
    const press = (...keys: string[]) => {
      for (const key of keys) bench.press(toKeyPress(key))
    }
    /** Waits until the table shows records of which a field has these values. */
    const shows = (field: string, ...values: string[]) =>
      vi.waitFor(() =>
        expect(bench.snapshot().data?.records.map((record) => Reflect.get(record, field))).toEqual(values),
      )
    const seesNotice = (text: RegExp) => vi.waitFor(() => expect(bench.ui().notice?.text).toMatch(text))
    const screen = () => bench.ui().screen as DataScreen
    return { controls, bench, press, shows, seesNotice, screen }
  }

  test('shows a kind after another, searched and sorted', async () => {
    const { bench, press, shows, screen } = await start()
    press('e')
    await vi.waitFor(() => expect(bench.snapshot().data).toMatchObject({ kind: 'projects', total: 6 }))
    press('/', 'website', 'enter', 'right', 'right', 'right', 's')
    await shows('teamId', 'team-acme', 'team-globex')
    press('s')
    await shows('teamId', 'team-globex', 'team-acme')
    press('s')
    expect(screen().sort).toBeUndefined()
    press('escape')
    await vi.waitFor(() => expect(bench.snapshot().data?.records).toHaveLength(6))
    press('/acm', 'backspace', 'x', 'escape')
    expect(screen()).toMatchObject({ search: '', isSearching: false })
    press('tab')
    await vi.waitFor(() => expect(bench.snapshot().data?.kind).toBe('waitlist'))
    press('tab')
    await shows('orgCode', 'org_acme', 'org_globex')
    press('escape')
    expect(screen()).toEqual({ type: 'log' })
  })

  test('edits the selected field, and keeps what is refused', async () => {
    const { bench, controls, press, shows, seesNotice, screen } = await start()
    press('e', 'tab', 'tab')
    await shows('name', 'Acme', 'Globex')
    press('down', 'right', 'enter')
    expect(bench.ui().screen).toMatchObject({
      prompt: { key: 'team-globex', field: 'orgCode' },
      text: 'org_globex',
    })
    press('clear', 'org_acme', 'enter')
    await vi.waitFor(() =>
      expect(bench.ui().screen).toMatchObject({
        error: 'teams[1].orgCode: "org_acme" is already at teams[0]',
      }),
    )
    press('clear', 'org_other', 'enter')
    await seesNotice(/^Changed orgCode of team-globex\.$/)
    await shows('orgCode', 'org_acme', 'org_other')
    expect(screen()).toMatchObject({ type: 'data', index: 1, column: 1 })

    press('tab', 'tab', 'right', 'right', 'right')
    await vi.waitFor(() => expect(bench.snapshot().data?.kind).toBe('sessions'))
    press('enter', 'clear', 'a, b', 'enter')
    await seesNotice(/^Changed permissions of acme-owner/)
    press('left', 'enter', 'clear', 'enter')
    await seesNotice(/^Changed orgCode of acme-owner/)
    const [owner] = (await controls.data.list('sessions')).records
    expect(owner).toMatchObject({ permissions: ['a', 'b'] })
    expect(owner).not.toHaveProperty('orgCode')
  })

  test('adds and removes records, and takes both back', async () => {
    const { bench, controls, press, shows, seesNotice, screen } = await start()
    press('e', 'tab', 'tab', 'tab', 'tab')
    await vi.waitFor(() => expect(bench.snapshot().data?.kind).toBe('sessions'))
    press('+', 'boss org_new', 'enter')
    await seesNotice(/^Added boss\./)
    await vi.waitFor(() => expect(bench.snapshot().data?.total).toBe(8))
    expect((await controls.sessions.list()).sessions.at(-1)).toMatchObject({ id: 'boss', orgCode: 'org_new' })
    // The new record is the selected one.
    press('-')
    await seesNotice(/^Removed boss; u takes it back\.$/)
    await vi.waitFor(() => expect(bench.snapshot().data?.total).toBe(7))
    expect((await controls.data.list('users')).total).toBe(6)
    press('u')
    await seesNotice(/^Undone: persona remove boss/)
    press('y')
    await seesNotice(/^Made again: persona remove boss/)
    press('tab', 'tab', 'tab')
    await shows('name', 'Acme', 'Globex', 'New')
    press('-')
    await seesNotice(/depend on it: sessions acme-owner/)
    press('D')
    await seesNotice(/^Removed 9 records/)
    await shows('name', 'Globex', 'New')
    press('+', 'escape')
    expect(screen()).toMatchObject({ type: 'data', kind: 'teams' })
  })
})
