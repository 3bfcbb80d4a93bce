import { afterEach, describe, expect, test, vi } from 'vitest'

// Set before the modules that read it are loaded: otherwise there would be no colours.
vi.hoisted(() => {
  process.env.FORCE_COLOR = '1'
})

import { canShowLive } from '../../../src/cli/output/output.js'
import { printable, printableJson, printableLines } from '../../../src/cli/output/printable.js'
import { show } from '../../../src/cli/output/show.js'

const before = { isTTY: process.stdout.isTTY, columns: process.stdout.columns }
const stdinBefore = { isTTY: process.stdin.isTTY }
afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  Object.assign(process.stdout, before)
  Object.assign(process.stdin, stdinBefore)
})

/** The output of a list with this standard output and environment. */
async function outputOf(
  stdout: { isTTY: boolean },
  env: Record<string, string>,
  json = false,
): Promise<string> {
  for (const [name, value] of Object.entries({ TERM: 'xterm', NO_COLOR: '', ...env })) vi.stubEnv(name, value)
  Object.assign(process.stdout, { columns: 40, ...stdout })
  let text = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += chunk
    return true
  })
  const rows = ['A sentence that is longer than forty columns are.']
  const columns = { Note: { value: (row: string) => row, minWidth: 8 } }
  await show({ data: rows, table: { columns, rows } }, json)
  return text
}

describe('output', () => {
  test('fits the width of a terminal, in colour', async () => {
    const text = await outputOf({ isTTY: true }, {})
    expect(text).toContain('\x1b[')
    expect(text).toContain('A sentence that is longer than forty co…\n')
  })

  test.each([
    ['NO_COLOR', '1'],
    ['TERM', 'dumb'],
  ])('has no escape codes on a terminal with %s=%s', async (name, value) => {
    const text = await outputOf({ isTTY: true }, { [name]: value })
    expect(text).toBe('Note\nA sentence that is longer than forty co…\n')
  })

  test('is plain and complete in a pipe', async () => {
    expect(await outputOf({ isTTY: false }, {})).toBe(
      'Note\nA sentence that is longer than forty columns are.\n',
    )
  })

  test('is JSON with --json, even on a terminal', async () => {
    const text = await outputOf({ isTTY: true }, {}, true)
    expect(JSON.parse(text)).toEqual(['A sentence that is longer than forty columns are.'])
  })

  test.each([
    [true, { stdin: true, stdout: true, noColor: '' }],
    [false, { stdin: true, stdout: false, noColor: '' }],
    [false, { stdin: false, stdout: true, noColor: '' }],
    [false, { stdin: true, stdout: true, noColor: '1' }],
  ])(
    'can be a live view (%j) only if stdin and stdout are terminals with escape codes: %j',
    (live, { stdin, stdout, noColor }) => {
      vi.stubEnv('TERM', 'xterm')
      vi.stubEnv('NO_COLOR', noColor)
      Object.assign(process.stdout, { isTTY: stdout, columns: 40 })
      Object.assign(process.stdin, { isTTY: stdin })
      expect(canShowLive()).toBe(live)
    },
  )

  test('makes control characters of input visible', () => {
    expect(printable('a\x1b[2Jb\tc\nd\u009b\x7f')).toBe('a\\x1b[2Jb\\x09c\\x0ad\\x9b\\x7f')
    expect(printable('gnp.\u202eexe\u2028')).toBe('gnp.\\u{202e}exe\\u{2028}')
    expect(printableLines('a\tb\x1b\r\nc\rd\ne\r')).toBe('a\tb\\x1b\r\nc\\x0dd\ne\\x0d')
    const json = JSON.stringify({ name: '\x1b\u009b\x7f\u202e\u2028' }, null, 2)
    expect(printableJson(json)).toBe('{\n  "name": "\\u001b\\u009b\\u007f\\u202e\\u2028"\n}')
  })
})
