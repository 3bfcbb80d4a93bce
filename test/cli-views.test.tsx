import { render } from 'ink-testing-library'
import { describe, expect, test, vi } from 'vitest'
import { fitColumns } from '../src/cli/fit-columns.js'
import { DevStatus } from '../src/cli/views/dev-status.js'
import { Table } from '../src/cli/views/table.js'
import { untilQuit } from '../src/cli/views/until-quit.js'

const columns = [{ title: 'Id' }, { title: 'Email', yields: true }, { title: 'Note', yields: true }]
const cells = [
  ['acme-owner', 'ada@acme.example', 'May do everything in the team of Acme.'],
  ['no-organization', 'nora@example.com', ''],
]
const linesOf = (width: number) =>
  render(<Table columns={columns} cells={cells} nothing="Nobody." width={width} />)
    .lastFrame()
    ?.split('\n')
    .map((line) => line.trimEnd())

describe('a table', () => {
  test('is as wide as it needs where there is room', () => {
    expect(linesOf(100)).toEqual([
      'Id               Email             Note',
      'acme-owner       ada@acme.example  May do everything in the team of Acme.',
      'no-organization  nora@example.com',
    ])
  })

  test('narrows the columns that yield', () => {
    expect(linesOf(50)).toEqual([
      'Id               Email            Note',
      'acme-owner       ada@acme.examp…  May do everythi…',
      'no-organization  nora@example.c…',
    ])
  })

  test('leaves out the last one that yields where they would be too narrow', () => {
    expect(linesOf(30)).toEqual([
      'Id               Email',
      'acme-owner       ada@acme.exa…',
      'no-organization  nora@example…',
    ])
  })

  test('cuts the rest only then', () => {
    expect(linesOf(10)).toEqual(['Id', 'acme-owner', 'no-organi…'])
  })

  test('says in words that it is empty', () => {
    const { lastFrame } = render(<Table columns={columns} cells={[]} nothing="Nobody." width={80} />)
    expect(lastFrame()).toBe('Nobody.')
  })

  test('never takes more than the terminal has', () => {
    for (let width = 1; width <= 90; width++) {
      const shown = fitColumns(columns, cells, width).filter((each) => each > 0)
      expect(shown.reduce((sum, each) => sum + each, 2 * (shown.length - 1))).toBeLessThanOrEqual(width)
    }
  })
})

describe('the status of the mock', () => {
  const status = {
    url: 'http://127.0.0.1:4011',
    active: 'acme-viewer',
    tryNext: ['curl -b session=active http://127.0.0.1:4011/v1/projects'],
    width: 80,
    height: 24,
  }

  test('shows address, persona, commands and the latest requests', () => {
    const requests = [
      {
        method: 'POST',
        path: '/v1/projects',
        status: 403,
        code: 'INSUFFICIENT_PERMISSIONS',
        ms: 3,
        session: 'acme-viewer',
      },
      { method: 'GET', path: '/v1/projects', status: 200, ms: 12 },
    ]
    const frame = render(<DevStatus {...status} takenPort={4010} requests={requests} />).lastFrame()
    expect(frame).toContain('http://127.0.0.1:4011')
    expect(frame).toContain('Port 4010 is taken')
    expect(frame).toContain('session=active is acme-viewer')
    expect(frame).toContain('curl -b session=active')
    expect(frame).toMatch(/POST +\/v1\/projects +403 +INSUFFICIENT_PERMISSIONS +3 +acme-viewer/)
    expect(frame).toMatch(/GET +\/v1\/projects +200 +12/)
    expect(frame).toContain('q quits')
  })

  test('says that there was no request yet, and that nobody is active', () => {
    const frame = render(<DevStatus {...status} active={undefined} requests={[]} />).lastFrame()
    expect(frame).toContain('No request yet.')
    expect(frame).toContain('the fixtures have no session')
    expect(frame).not.toContain('is taken')
  })

  test('shows as many requests as the terminal has room for, the latest first', () => {
    const requests = Array.from({ length: 40 }, (_, i) => ({
      method: 'GET',
      path: `/${i}`,
      status: 200,
      ms: 1,
    }))
    for (const height of [20, 24, 50]) {
      const frame = render(
        <DevStatus {...status} takenPort={1} requests={requests} height={height} />,
      ).lastFrame()
      expect(frame).toMatch(/GET +\/0 /)
      expect(frame?.split('\n').length).toBeLessThan(height)
    }
  })

  test('stays until q is pressed', async () => {
    const view = render(untilQuit(<DevStatus {...status} requests={[]} />))
    await vi.waitFor(() => expect(view.stdin.listenerCount('readable')).toBeGreaterThan(0))
    view.stdin.write('x')
    expect(view.stdin.listenerCount('readable')).toBeGreaterThan(0)
    view.stdin.write('q')
    await vi.waitFor(() => expect(view.stdin.listenerCount('readable')).toBe(0))
  })
})
