import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openSqliteStore } from '../../store/open-stores.js'
import { emptyFolder, run } from '../cli-process.js'

const demo = JSON.parse(readFileSync(new URL('../../../fixtures/demo.json', import.meta.url), 'utf8'))
const counts = { teams: demo.teams.length, users: demo.users.length, projects: demo.projects.length }
const none = { teams: 0, users: 0, projects: 0 }

describe('dashboard-api seed', () => {
  test('loads the demo fixture, and nothing the second time', async () => {
    const database = `${emptyFolder()}/seeded.db`
    const seed = async () => JSON.parse((await run(['seed', '--database', database, '--json'])).stdout)
    expect(await seed()).toMatchObject({ database, created: counts, existing: none })
    expect(await seed()).toMatchObject({ database, created: none, existing: counts })
    expect(await run(['seed', '--database', database])).toMatchObject({
      code: 0,
      stdout: 'Kind\tCreated\tExisting\nteams\t0\t2\nusers\t0\t6\nprojects\t0\t6\n',
    })
  })

  test('loads neither personas as sessions nor the waitlist', async () => {
    const database = `${emptyFolder()}/seeded.db`
    await run(['seed', '--database', database])
    const sessions = await run(['session', 'list', '--database', database, '--json'])
    const waitlist = await run(['waitlist', 'list', '--database', database, '--json'])
    expect(JSON.parse(sessions.stdout)).toEqual({ sessions: [] })
    expect(JSON.parse(waitlist.stdout)).toEqual({ waitlist: [] })
  })

  test('loads the demo beside other data only with --demo, and removes it again', async () => {
    const database = `${emptyFolder()}/seeded.db`
    const cli = (...args: string[]) => run([...args, '--database', database])
    const state = async () => {
      const store = await openSqliteStore(database)
      return store.export().finally(store.close)
    }
    await cli('seed', '--teams', '1', '--projects', '2', '--users', '1')
    await (await openSqliteStore(database)).close()
    const before = await state()
    const refused = await cli('seed')
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toMatch(
      /has 1 team, 1 user not of the demo\. Nothing was loaded\.\nhint: .*--demo/,
    )
    expect(await state()).toEqual(before)

    expect((await cli('seed', '--demo')).code).toBe(0)
    await cli('waitlist', 'add', 'ada@acme.example')
    // The demo is loaded already.
    expect((await cli('seed')).code).toBe(0)
    const asked = await cli('seed', '--remove')
    expect(asked).toMatchObject({ code: 2, stdout: '' })
    expect(asked.stderr).toMatch(
      /This removes the 2 teams with 6 projects and 6 users of .*demo\.json from .* for good/,
    )
    const removed = await cli('seed', '--remove', '--yes', '--json')
    expect(JSON.parse(removed.stdout).removed).toEqual({ ...counts, sessions: 0, waitlist: 0 })
    expect(await state()).toEqual({
      ...before,
      waitlist: [expect.objectContaining({ email: 'ada@acme.example' })],
    })
    expect((await cli('seed', '--remove', '--yes')).code).toBe(0)
  })

  test('refuses a state that conflicts with the database, and an invalid one', async () => {
    const folder = emptyFolder()
    const database = `${folder}/seeded.db`
    await run(['seed', '--database', database])
    const from = `${folder}/state.json`
    const seed = async (state: unknown) => {
      writeFileSync(from, JSON.stringify(state))
      return run(['seed', '--database', database, '--from', from])
    }
    const taken = await seed({ version: 1, teams: [{ id: 'team-x', name: 'X', orgCode: 'org_acme' }] })
    expect(taken).toMatchObject({ code: 2, stdout: '' })
    expect(taken.stderr).toContain(
      '  line 1, column 59: teams[0].orgCode: "org_acme" belongs to team "team-acme" already\n',
    )
    const faulty = await seed({ version: 2 })
    expect(faulty).toMatchObject({ code: 2, stdout: '' })
    expect(faulty.stderr).toContain('  line 1, column 12: version: ')
  })
})
