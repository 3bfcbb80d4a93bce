import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { locateFaults } from '../../src/store/locate-faults.js'
import { parseStateText } from '../../src/store/parse-state-text.js'
import { parseState, StateError } from '../../src/store/state-file.js'
import { createMemoryStore } from './memory/full-memory-store.js'

const demo = readFileSync(new URL('../../fixtures/demo.json', import.meta.url), 'utf8')

/** The error with which a text is refused. */
async function refusalOf(text: string): Promise<StateError> {
  const refusal = await parseStateText(text).catch((error) => error)
  if (refusal instanceof StateError) return refusal
  throw refusal instanceof Error ? refusal : new Error('the text was accepted')
}

describe('the text of a state file', () => {
  test('is parsed as its value', async () => {
    expect(await parseStateText(demo)).toStrictEqual(parseState(JSON.parse(demo)))
    // As some editors save it.
    expect(await parseStateText(`\uFEFF${demo}`)).toStrictEqual(parseState(JSON.parse(demo)))
  })

  test.each([
    ['', 'line 1, column 1: not JSON: value expected'],
    ['teams:', 'line 1, column 1: not JSON: invalid symbol'],
    ['{"version": 1,}', 'line 1, column 15: not JSON: property name expected'],
    ['{\n  "version": 1\n  "teams": []\n}', 'line 3, column 3: not JSON: comma expected'],
    ['{\r\n"version": 1', 'line 2, column 13: not JSON: close brace expected'],
    ['{"version" 1}', 'line 1, column 12: not JSON: colon expected'],
    ['{"version": 1} []', 'line 1, column 16: not JSON: end of file expected'],
    ['{"version": 1, // one\n}', 'line 1, column 16: not JSON: invalid comment token'],
    ['{"version": 1, "teams": ["a\n"]}', 'line 1, column 26: not JSON: unexpected end of string'],
    ['{"version": 1, "teams": [01]}', 'line 1, column 27: not JSON: comma expected'],
  ])('that is not JSON is refused with the position of its first fault: %j', async (text, message) => {
    expect((await refusalOf(text)).message).toBe(message)
  })

  test('is never refused as JSON without a reason', async () => {
    for (let end = 0; end < demo.trimEnd().length; end += 7) {
      expect((await refusalOf(demo.slice(0, end))).message).toMatch(/^line \d+, column \d+: not JSON: [a-z]/)
    }
  })

  test('is refused with a reason, however deep it is', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    expect((await refusalOf(deep)).message).toMatch(/expected object, received array/)
    expect((await refusalOf(deep.slice(1))).message).toMatch(/not JSON: ./)
  })

  test('is refused with the line and the column of each fault', async () => {
    const text = `{
  "version": 1,
  "teams": [
    { "id": "t1", "name": "", "orgCode": "org_a" },
    { "id": "t 2", "name": "Two" }
  ],
  "sessions": [{ "id": "s1", "userId": "u1", "permissions": ["a", 1] }],
  "members": []
}`
    expect((await refusalOf(text)).message.split('\n')).toEqual([
      'line 4, column 27: teams[0].name: Must not be empty',
      'line 5, column 13: teams[1].id: Use letters, digits and _ . : @ - only',
      // A missing field has no position; that of its record is used.
      expect.stringMatching(/^line 5, column 5: teams\[1\]\.orgCode: /),
      expect.stringMatching(/^line 7, column 67: sessions\[0\]\.permissions\[1\]: /),
      expect.stringMatching(/^line 1, column 1: .*"members"/),
    ])
    expect((await refusalOf(text)).faults[0]).toMatchObject({
      path: 'teams[0].name',
      position: { line: 4, column: 27 },
    })
  })

  test('is refused with the position of a repeated id and of a missing reference', async () => {
    const text = demo.replace('"teamId": "team-globex"', '"teamId": "team-none"')
    const { message } = await refusalOf(text)
    const line = text.slice(0, text.indexOf('"team-none"')).split('\n').length
    expect(message).toMatch(
      new RegExp(`^line ${line}, column \\d+: projects\\[\\d\\]\\.teamId: no team "team-none"$`),
    )
  })
})

test('the faults that a store finds are located in the text', async () => {
  const { teams } = parseState(JSON.parse(demo))
  const store = createMemoryStore(parseState({ version: 1, teams }))
  const text =
    '{\n "version": 1,\n "teams": [{ "id": "other", "name": "Other",\n  "orgCode": "org_acme" }]\n}'
  const error = await store.load(await parseStateText(text)).catch((error) => error)
  expect(locateFaults(text, error).message).toBe(
    'line 4, column 14: teams[0].orgCode: "org_acme" belongs to team "team-acme" already',
  )
})
