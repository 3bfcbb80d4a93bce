import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import fixture from '../../../fixtures/demo.json' with { type: 'json' }
import { emptyFolder, listening, run, start } from '../cli-process.js'
import { hasTerminal } from './on-terminal.js'
import { rawOutput, rawOutputOfAll } from './raw-output.js'
import { startDev } from './start-dev.js'

/** Sets the title of a terminal, clears it, uses C1, hides text, and reverses the reading order. */
const hostile = '\x1b]0;owned\x07\x1b[2J\u009b31m\x7f\u0085\u202e\u2066\u200f\u061c\u2028\u2029\r\b'

/** The characters that no command may write to a terminal without colours; tabs separate cells. */
const controls = /[^\t\r\n\P{Cc}]|\r(?!\r*\n)|[\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/u
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for control characters
const colours = /\x1b\[[0-9;]*m/g

const [acme, globex] = fixture.teams
const state = {
  ...fixture,
  teams: [{ ...acme, name: `Acme${hostile}` }, globex],
  users: fixture.users.map((user) => ({
    ...user,
    ...(user.id === 'user-ada' && {
      email: `ada${hostile}@acme.example`,
      givenName: `Ada${hostile}`,
      familyName: hostile,
      picture: hostile,
      issuer: hostile,
      subject: hostile,
    }),
  })),
  sessions: fixture.sessions.map((session) => ({
    ...session,
    ...(session.id === 'acme-owner' && { role: `owner${hostile}`, note: hostile }),
    ...(session.id === 'acme-viewer' && { orgCode: `org${hostile}` }),
  })),
  projects: fixture.projects.map((project) => ({
    ...project,
    name: `${project.name}${hostile}`,
    description: hostile,
    status: hostile,
  })),
}

/** Starts a mock with the fixture and a logged request of another site's page, and a database with its data. */
async function prepare() {
  const folder = emptyFolder()
  const fixtures = `${folder}/state.json`
  writeFileSync(fixtures, JSON.stringify(state))
  const database = `${folder}/data.db`
  await run(['seed', '--from', fixtures, '--database', database])
  const dev = start(['dev', '--port', '0', '--json', '--fixtures', fixtures], { cwd: folder })
  const url = await listening(dev)
  await fetch(`${url}/v1/projects`, {
    method: 'POST',
    headers: { cookie: 'session=active', 'content-type': 'text/plain;\u009b' },
    body: hostile,
  })
  return { database, url, fixtures }
}

const production = (database: string): string[][] => [
  ['team', 'list', '--database', database],
  ['team', 'show', 'org_acme', '--database', database],
  ['user', 'list', '--database', database],
  ['user', 'show', 'user-ada', '--database', database],
  ['project', 'list', '--team', 'org_acme', '--database', database],
  ['session', 'list', '--database', database],
  ['waitlist', 'list', '--database', database],
  ['database', 'check', '--database', database],
]

const mock = (url: string): string[][] => [
  ['mock', 'persona', 'list', '--url', url],
  ['session', 'current', '--url', url],
  ['session', 'use', 'acme-viewer', '--url', url],
  ['mock', 'log', '--url', url],
  ['mock', 'scenario', 'list', '--url', url],
  ['mock', 'snapshot', 'list', '--url', url],
  ['mock', 'delay', 'show', '--url', url],
  ['mock', 'clock', 'show', '--url', url],
  ['mock', 'chaos', 'show', '--url', url],
]

describe.skipIf(!hasTerminal)('control characters of the data (need tmux)', () => {
  test('are made visible by every command on a terminal', async () => {
    const { database, url, fixtures } = await prepare()
    const others = [
      ['mock', 'log', '--curl', '1', '--url', url],
      ['state', 'export', '--url', url],
      ['team', 'create', `x${hostile}`, '--organization', `y${hostile}`, '--database', database],
      ['team', 'rename', `z${hostile}`, 'x', '--database', database],
      ['session', 'revoke', `s${hostile}`, '--database', database],
      ['mock', 'scenario', 'set', `t${hostile}`, '--url', url],
      ['dev', '--fixtures', `${fixtures}${hostile}`],
    ]
    const withJson = [...mock(url), ...production(database)].map((command) => [...command, '--json'])
    const commands = [...mock(url), ...production(database), ...withJson, ...others]
    const texts = await rawOutputOfAll(commands, { NO_COLOR: '1' })
    expect(texts.length).toBe(commands.length)
    for (const [i, command] of commands.entries()) {
      expect(texts[i], command.join(' ')).not.toMatch(controls)
      expect(texts[i], command.join(' ')).not.toBe('')
    }
    expect(texts.filter((text) => text.includes('\\x1b]0;owned')).length).toBeGreaterThan(10)
    const coloured = await rawOutput(['mock', 'persona', 'list', '--url', url], { FORCE_COLOR: '1' }).ended
    expect(coloured.text.replace(colours, '')).not.toMatch(controls)
    expect(coloured.text).toContain('\\x1b]0;owned\\x07')
  })

  test('are made visible on the screen of dev, also in the curl line of the request that sent them', async () => {
    const cwd = emptyFolder()
    writeFileSync(`${cwd}/state.json`, JSON.stringify(state))
    const { view, url } = await startDev({ cwd, rows: 50, columns: 200 }, '--fixtures', 'state.json')
    await fetch(`${url}/v1/projects`, { method: 'POST', body: hostile })
    await view.until(/POST \/v1\/projects/)
    view.type('\r')
    await view.until(/To copy it/)
    view.type('\x1b')
    await view.until(/p persona/)
    view.type('p')
    await view.until(/^Persona$/m)
    view.type('\x03')
    await view.ended
    const written = view.terminal.written()
    expect(written).toContain('\\x1b]0;owned')
    expect(written).not.toContain('\x1b]0')
    // Ink and the alternate screen use ESC, but no other control characters.
    expect(written.replaceAll('\x1b', '')).not.toMatch(controls)
  })
})

test('control characters of the data are escaped in JSON and in text for people, in a pipe too', async () => {
  const { database, url } = await prepare()
  const documents = [
    ['team', 'show', 'org_acme', '--json', '--database', database],
    ['user', 'export', 'user-ada', '--database', database],
    ['state', 'from-database', '--team', 'org_acme', '--database', database],
    ['state', 'export', '--url', url],
    ['mock', 'log', 'export', '--url', url],
    ['mock', 'log', 'show', '1', '--json', '--url', url],
  ]
  for (const command of documents) {
    const { stdout } = await run(command)
    expect(stdout, command.join(' ')).not.toMatch(controls)
    // The value is unchanged.
    expect(JSON.stringify(JSON.parse(stdout)), command.join(' ')).toContain('\u009b31m')
  }
  const { stdout } = await run(['mock', 'log', 'show', '1', '--url', url])
  expect(stdout).not.toMatch(controls)
  expect(stdout).toContain('\\x9b31m')
})

test('no view uses the Text of Ink, which does not escape control characters', () => {
  const cli = new URL('../../../src/cli/', import.meta.url)
  const views = readdirSync(cli, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.tsx'),
  )
  expect(views.length).toBeGreaterThan(5)
  for (const name of views.filter((file) => !file.endsWith('text.tsx'))) {
    expect(readFileSync(new URL(name, cli), 'utf8'), name).not.toMatch(
      /import \{[^}]*\bText\b[^}]*\} from 'ink'/,
    )
  }
})
