import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import demo from '../../fixtures/demo.json' with { type: 'json' }
import { createMockServer } from '../../src/mock/node.js'
import { parseStateText } from '../../src/store/parse-state-text.js'
import { emptyState, parseState, recordsOf } from '../../src/store/state-file.js'
import { stateSchema } from './state-schema.js'

const file = fileURLToPath(new URL('../../state.schema.json', import.meta.url))

test('state.schema.json is up to date; UPDATE=1 writes it', () => {
  const text = `${JSON.stringify(stateSchema(), null, 2)}\n`
  if (process.env.UPDATE) writeFileSync(file, text)
  expect(readFileSync(file, 'utf8')).toBe(text)
})

describe('the schema of state files', () => {
  const ajv = new Ajv({ strict: true, allErrors: true })
  addFormats.default(ajv)
  const isValid = ajv.compile(stateSchema())

  const [team] = demo.teams
  const [session] = demo.sessions
  const [project] = demo.projects

  test('accepts the demo, an exported state, and a file with only its version', () => {
    for (const state of [demo, parseState(demo), emptyState(), { version: 1 }]) {
      expect(isValid(state), JSON.stringify(isValid.errors)).toBe(true)
    }
  })

  test.each<[string, object]>([
    ['another version', { version: 2 }],
    ['an unknown list', { version: 1, members: [] }],
    ['an unknown field', { version: 1, teams: [{ ...team, slug: 'a' }] }],
    ['an empty name', { version: 1, projects: [{ ...project, name: '' }] }],
    ['an id with a space', { version: 1, teams: [{ ...team, id: 'a b' }] }],
    ['a permission that is not a string', { version: 1, sessions: [{ ...session, permissions: [1] }] }],
    ['a date without a time', { version: 1, projects: [{ ...project, createdAt: '2026-01-01' }] }],
  ])('refuses %s, as loading it does', (_, state) => {
    expect(isValid(state)).toBe(false)
    expect(() => parseState(state)).toThrow()
  })

  test('describes every list', () => {
    const { properties } = stateSchema()
    for (const [name, property] of Object.entries(properties ?? {})) {
      expect(property.description, name).toMatch(/\.$/)
    }
  })
})

describe('a file that names its schema', () => {
  const $schema = './node_modules/dashboard-api/state.schema.json'

  test('is a state file and a fixture', async () => {
    const state = { ...parseState(demo), $schema }
    expect(await parseStateText(JSON.stringify(state))).toEqual(parseState(demo))
    const mock = createMockServer({ baseUrl: 'http://api.test', fixtures: state })
    expect(recordsOf(await mock.state.export())).toEqual(parseState(demo))
    await mock.state.load(state)
    expect(recordsOf(await mock.state.export())).toEqual(parseState(demo))
  })

  test('is refused if its address is not a string', () => {
    expect(() => parseState({ version: 1, $schema: 1 })).toThrow('$schema: ')
  })
})
