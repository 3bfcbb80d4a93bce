import { writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { emptyFolder, listening, run, start } from '../cli-process.js'
import { hasTerminal, keys, onTerminal, programOnTerminal } from './on-terminal.js'
import { rawOutput } from './raw-output.js'
import { fetchProjects, post } from './start-dev.js'

async function seeded() {
  const folder = emptyFolder()
  const database = `${folder}/terminal.db`
  await run(['seed', '--database', database])
  return { folder, database }
}

describe.skipIf(!hasTerminal)('a program on a terminal (needs tmux)', () => {
  test('has its exit code, though it closed its terminal before it ended', async () => {
    const program = 'exec <&- >&- 2>&-; sleep 0.5; exit 7'
    expect(await programOnTerminal('/bin/sh', ['-c', program]).ended).toBe(7)
  })

  test('has the exit code 137 after SIGKILL', async () => {
    expect(await programOnTerminal('/bin/sh', ['-c', 'kill -KILL $$']).ended).toBe(137)
  })
})

describe.skipIf(!hasTerminal)('commands on a terminal (need tmux)', () => {
  test('a list that fits is a table in colour, and without with NO_COLOR', async () => {
    const { database } = await seeded()
    const list = ['project', 'list', '--team', 'org_acme', '--database', database]
    const coloured = await rawOutput(list, { FORCE_COLOR: '1' }).ended
    expect(coloured.code).toBe(0)
    expect(coloured.text).toContain('\x1b[32mactive')
    expect(coloured.text).toContain('Website relaunch')
    const plain = await rawOutput(list, { NO_COLOR: '1' }).ended
    expect(plain.text).toContain('Website relaunch')
    expect(plain.text).not.toContain('\x1b')
  })

  test('of a long list the first fifty rows and the number of the others are shown', async () => {
    const { folder, database } = await seeded()
    const addresses = Array.from({ length: 1200 }, (_, i) => `n${String(i).padStart(4, '0')}@example.com`)
    writeFileSync(`${folder}/many.json`, JSON.stringify(addresses))
    await run(['waitlist', 'import', `${folder}/many.json`, '--database', database])
    const { code, text } = await rawOutput(['waitlist', 'list', '--database', database], { NO_COLOR: '1' })
      .ended
    expect(code).toBe(0)
    const lines = text.trimEnd().split('\r\n')
    expect(lines[0]).toMatch(/^Email +Since/)
    expect(lines.slice(1, -1).map((line) => line.split(' ')[0])).toEqual(addresses.slice(0, 50))
    expect(lines.at(-1)).toBe('1,150 more. A pipe gets all of them, as in "| less -S".')
    const piped = await run(['waitlist', 'list', '--database', database])
    expect(piped.stdout.trimEnd().split('\n')).toHaveLength(1201)
  })

  test('statistics are shown as a chart', async () => {
    const { database } = await seeded()
    await run(['waitlist', 'add', 'ada@example.com', '--database', database])
    const { code, text } = await rawOutput(['waitlist', 'stats', '--database', database]).ended
    expect(code).toBe(0)
    expect(text).toMatch(/^1 address\./m)
    expect(text).toMatch(/day +\d{4}-\d\d-\d\d +1 +█+[\s\S]*domain +example\.com +1 +█+/)
  })

  test('a destructive command states its effect and asks; only yes confirms', async () => {
    const { database } = await seeded()
    const env = { DASHBOARD_API_SESSION_SECRET: 'a-secret-of-at-least-32-bytes-for-tests' }
    await run(
      ['session', 'issue', '--user', 'ada@acme.example', '--permissions', '', '--database', database],
      {
        env,
      },
    )
    const revoke = async (answer: string) => {
      const child = rawOutput([
        'session',
        'revoke',
        '--all-of-user',
        'ada@acme.example',
        '--database',
        database,
      ])
      await child.until(/This revokes 1 session of ada@acme\.example at once\. Continue\? \[y\/N\] /)
      child.type(answer)
      return child.ended
    }
    for (const no of ['\r', 'n\r', '\x04']) {
      const refused = await revoke(no)
      expect(refused.code).toBe(1)
      expect(refused.text).toContain('Nothing was changed.')
    }
    const confirmed = await revoke('y\r')
    expect(confirmed.code).toBe(0)
    expect(confirmed.text).toContain('Revoked 1 session of ada@acme.example.')

    const remove = rawOutput(['team', 'remove', 'org_acme', '--database', database])
    await remove.until(/This removes the team Acme of org_acme for good, with \d projects and .*\? \[y\/N\] /)
    remove.type('n\r')
    expect(await remove.ended).toMatchObject({
      code: 1,
      text: expect.stringContaining('Nothing was changed.'),
    })
  })

  test('seeding shows a progress bar, then one line; Ctrl+C reports how many records are written', async () => {
    const { folder } = await seeded()
    const amounts = ['--teams', '80', '--projects', '1000', '--seed', '1', '--database', `${folder}/large.db`]
    const interrupted = rawOutput(['seed', ...amounts])
    await interrupted.until(/[█░]+ \d+ % .* of 80,480 records .*\/s .*left/)
    interrupted.type('\x03')
    const { code, text } = await interrupted.ended
    expect(code).toBe(130)
    expect(text).toMatch(/Interrupted after [\d,]+ of 80,480 records/)
    const whole = await rawOutput(['seed', '--database', `${folder}/small.db`, '--teams', '1']).ended
    expect(whole.code).toBe(0)
    expect(whole.text).toMatch(/Seeded .*small\.db with seed 1 in .* s: created 1 team, 5 users, 10 projects/)
  })

  const mockUrl = () => listening(start(['dev', '--port', '0', '--json'], { cwd: emptyFolder() }))

  test('session use without a name shows a list of personas', async () => {
    const url = await mockUrl()
    const view = onTerminal(['session', 'use', '--url', url])
    await view.until(/● acme-owner/)
    view.type('no-t')
    await view.until(/cancels\. {2}no-t$/m)
    view.type(keys.enter)
    expect(await view.ended).toBe(0)
    expect(view.terminal.text()).toMatch(/^You became no-team\.\nno-team$/m)

    const left = onTerminal(['session', 'use', '--url', url])
    await left.until(/● no-team/)
    left.type(keys.escape)
    expect(await left.ended).toBe(0)
    expect(left.terminal.text()).toBe('Nothing was changed.')
  })

  test('log colours its lines', async () => {
    const url = await mockUrl()
    await fetchProjects(url, post)
    await fetch(`${url}/v1/projects`)
    const view = onTerminal(['mock', 'log', '--url', url], { columns: 120 })
    expect(await view.ended).toBe(0)
    expect(view.terminal.text()).toMatch(
      /^1 +\d\d:\d\d:\d\d {2}POST \/v1\/projects +201 +acme-owner +handler · \+ New · \d+ ms$/m,
    )
    expect(view.terminal.written()).toContain('\x1b[33m401 AUTH_REQUIRED')
  })
})
