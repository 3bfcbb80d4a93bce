import { describe, expect, test } from 'vitest'
import type { OwnCommit } from '../../../src/store/change-feed.js'
import { acmeProject, entry, folderForEachTest } from './sqlite-folder.js'

const folder = folderForEachTest()

/** A store with a team, and what it tells of its own commits. */
async function open() {
  const store = await folder.openStore()
  await store.addTeam({ id: 'acme', name: 'Acme', orgCode: 'org_acme' })
  await store.addTeam({ id: 'globex', name: 'Globex', orgCode: 'org_globex' })
  const told: OwnCommit[] = []
  store.changes.onOwnCommit?.((own) => told.push(own))
  /** The teams of what is told of a write; undefined where nothing is. Versions are checked on the way. */
  const teamsOf = async (write: () => Promise<unknown>) => {
    const from = store.changes.version()
    told.length = 0
    await write()
    const [own, ...more] = told
    expect(more).toEqual([])
    if (own) expect(own).toMatchObject({ from, to: store.changes.version() })
    return own?.teams
  }
  return { store, told, teamsOf }
}

describe('of its own commits a store tells', () => {
  test('which teams they changed, of those that change projects alone or what no answer shows', async () => {
    const { store, teamsOf } = await open()
    expect(await teamsOf(() => store.addProject(acmeProject('a')))).toEqual(['acme'])
    const paused = () => store.updateProject('acme', 'a', { status: 'paused' })
    expect(await teamsOf(paused)).toEqual(['acme'])
    expect(await teamsOf(paused)).toEqual(['acme'])
    expect(await teamsOf(() => store.addToWaitlist(entry('new')))).toEqual([])
    const several = ['acme', 'globex', 'acme'].map((teamId, i) => ({ ...acmeProject(`b${i}`), teamId }))
    await store.addProject(acmeProject('first'))
    expect(await teamsOf(() => Promise.all(several.map(store.addProject)))).toEqual(['acme', 'globex'])
  })

  test('nothing where one may have written nothing, or something else', async () => {
    const { store, teamsOf } = await open()
    await store.addToWaitlist(entry('again'))
    expect(await teamsOf(() => store.addToWaitlist(entry('again')))).toBe(undefined)
    expect(await teamsOf(() => store.updateProject('acme', 'unknown', { status: 'paused' }))).toBe(undefined)
    expect(await teamsOf(() => store.renameTeam('acme', 'Other'))).toBe(undefined)
    expect(await teamsOf(() => store.probe())).toBe(undefined)
  })

  test('nothing where another process committed meanwhile', async () => {
    const { store, told } = await open()
    await store.addToWaitlist(entry('again'))
    told.length = 0
    const other = await folder.openHandle()
    // The second writes nothing by itself: that there was one commit more says nothing of whose it was.
    for (const write of [
      () => store.addProject(acmeProject('a')),
      () => store.addToWaitlist(entry('again')),
    ]) {
      await other.run('BEGIN IMMEDIATE')
      await other.run("UPDATE teams SET name = 'Other'")
      const written = write()
      await expect.poll(() => store.waitingWrites()).toBe(0)
      await other.run('COMMIT')
      await written
      expect(told).toEqual([])
    }
  })

  test('nothing of one that failed', async () => {
    const { store, told } = await open()
    await store.addProject(acmeProject('a'))
    told.length = 0
    await expect(store.addProject(acmeProject('a'))).rejects.toThrow()
    expect(told).toEqual([])
  })

  test('each, while the log is put into the file and begun anew', async () => {
    const { store, teamsOf } = await open()
    const description = 'x'.repeat(30_000)
    for (let i = 0; i < 300; i++) {
      const project = { ...acmeProject(String(i)), description }
      expect(await teamsOf(() => store.addProject(project))).toEqual(['acme'])
    }
  })
})
