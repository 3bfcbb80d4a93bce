import { unwatchFile, watchFile, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import fixture from '../../../fixtures/demo.json' with { type: 'json' }
import { type DevServer, type DevServerOptions, startDevServer } from '../../../src/mock/http/dev-server.js'
import { createControlClient } from '../../../src/mock/surfaces/control-client.js'
import { parseStateText } from '../../../src/store/parse-state-text.js'
import { parseState, recordsOf, StateError } from '../../../src/store/state-file.js'

const fixtures = parseState(fixture)

let folder: string
const open: DevServer[] = []
const start = async (options: Partial<DevServerOptions>) => {
  const server = await startDevServer({ fixtures, port: 0, ...options })
  open.push(server)
  return server
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dashboard-api-mock-'))
})
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
  await rm(folder, { recursive: true })
})

const create = async (url: string, name: string, space?: string) => {
  const response = await fetch(`${url}/v1/projects`, {
    method: 'POST',
    body: JSON.stringify({ name }),
    headers: {
      cookie: 'session=acme-owner',
      'content-type': 'application/json',
      ...(space && { 'x-mock-space': space }),
    },
  })
  return response.status
}
const namesIn = async (file: string) =>
  (await parseStateText(await readFile(file, 'utf8'))).projects.map(({ name }) => name)

describe('persist', () => {
  it('saves the state before the response, and restores it at the next start', async () => {
    const persist = join(folder, 'state.json')
    const first = await start({ persist, clock: { at: '2026-01-01T00:00:00Z' }, seed: 1 })
    expect(await parseStateText(await readFile(persist, 'utf8'))).toEqual(fixtures)
    expect(await create(first.url, 'Saved')).toBe(201)
    expect(await namesIn(persist)).toContain('Saved')
    expect(await create(first.url, 'Elsewhere', 'a-space')).toBe(201)
    expect(await namesIn(persist)).not.toContain('Elsewhere')
    await first.close()

    // The same seed and clock would produce the same id.
    const second = await start({ persist, clock: { at: '2026-01-01T00:00:00Z' }, seed: 1 })
    expect(await create(second.url, 'saved')).toBe(409)
    expect(await create(second.url, 'Second')).toBe(201)
    await createControlClient(second.url).call('reset')
    expect(await parseStateText(await readFile(persist, 'utf8'))).toEqual(fixtures)
    expect(await readdir(folder)).toEqual(['state.json'])
  })

  it.each([
    ['{"version":1,"projects":[{"id":"p"}]}', 'projects[0].name'],
    ['{"version":1,', 'not JSON'],
    ['', 'not JSON'],
    ['{"version":2}', 'version'],
  ])('refuses the invalid file %s and leaves it unchanged', async (text, message) => {
    const persist = join(folder, 'state.json')
    await writeFile(persist, text)
    const refused = await start({ persist }).catch((error) => error)
    expect(refused).toBeInstanceOf(StateError)
    expect(refused.message).toContain(message)
    expect(await readFile(persist, 'utf8')).toBe(text)
  })

  it('fails to start if the file cannot be written, and later reports it and continues', async () => {
    await expect(start({ persist: join(folder, 'none', 'state.json') })).rejects.toThrow('ENOENT')
    const errors: unknown[] = []
    const stateFolder = join(folder, 'state')
    await mkdir(stateFolder)
    const { url } = await start({
      persist: join(stateFolder, 'state.json'),
      onError: (error) => errors.push(error),
    })
    await rename(stateFolder, join(folder, 'moved'))
    expect(await create(url, 'Not saved')).toBe(201)
    expect(errors).toEqual([expect.objectContaining({ code: 'ENOENT' })])
  })
})

describe('a persisted file that others use', () => {
  const reported = (file: string) =>
    `${file} was written, replaced or touched by others: this mock overwrites it.`

  it('is reported once by a mock that overwrites the changes of another', async () => {
    const persist = join(folder, 'state.json')
    const errors: unknown[] = []
    const onError = (error: unknown) => errors.push(error)
    const first = await start({ persist, onError })
    expect([await create(first.url, 'A'), await create(first.url, 'B')]).toEqual([201, 201])
    expect(errors).toEqual([])
    const second = await start({ persist })
    expect(await create(second.url, 'C')).toBe(201)
    expect([await create(first.url, 'D'), await create(first.url, 'E')]).toEqual([201, 201])
    expect(errors).toEqual([reported(persist)])
  })

  it('is not called changed if it was only touched', async () => {
    const persist = join(folder, 'state.json')
    const errors: unknown[] = []
    const { url } = await start({ persist, onError: (error) => errors.push(error) })
    expect(await create(url, 'A')).toBe(201)
    await utimes(persist, 0, 0)
    expect(await create(url, 'B')).toBe(201)
    expect(errors).toEqual([reported(persist)])
  })

  it('is refused if it is the watched fixture file: each change would be a reset', async () => {
    const persist = join(folder, 'state.json')
    await writeFile(persist, JSON.stringify(fixture))
    await symlink(persist, join(folder, 'link.json'))
    const refused = start({ persist, watch: join(folder, 'link.json') })
    await expect(refused).rejects.toThrow(`${persist} has the fixtures`)
  })
})

describe('snapshots in a folder', () => {
  it('are refused where their path is a file', async () => {
    const snapshots = join(folder, 'file')
    await writeFile(snapshots, '')
    await expect(start({ snapshots })).rejects.toThrow(`${snapshots} is not a folder for snapshots`)
  })

  it('are state files that a later run can load; other files of the folder are ignored', async () => {
    const snapshots = join(folder, 'deep', 'snapshots')
    const first = await start({ snapshots })
    const { call } = createControlClient(first.url)
    expect(await call('snapshots')).toEqual([])
    await create(first.url, 'In the snapshot')
    await call('saveSnapshot', { name: 'b' })
    expect(await call('saveSnapshot', { name: 'a.1' })).toEqual(['a.1', 'b'])
    expect(await namesIn(join(snapshots, 'b.json'))).toContain('In the snapshot')
    await writeFile(join(snapshots, '.b.json.left.tmp'), '{')
    await writeFile(join(snapshots, 'wrong.json'), '{"version":1,"teams":[{}]}')

    const again = createControlClient((await start({ snapshots })).url)
    expect(await again.call('snapshots')).toEqual(['a.1', 'b', 'wrong'])
    await expect(again.call('loadSnapshot', { name: 'wrong' })).rejects.toThrow('teams[0].id')
    expect(recordsOf(await again.call('exportState'))).toEqual(fixtures)
    await again.call('loadSnapshot', { name: 'b' })
    expect((await again.call('exportState')).projects).toHaveLength(7)

    expect(await again.call('deleteSnapshot', { name: 'a.1' })).toEqual(['b', 'wrong'])
    expect((await readdir(snapshots)).sort()).toEqual(['.b.json.left.tmp', 'b.json', 'wrong.json'])
    await expect(again.call('deleteSnapshot', { name: 'a.1' })).rejects.toThrow('no snapshot "a.1"')
  })

  it('report the problem of their folder, and do not change the state', async () => {
    const snapshots = join(folder, 'a-file')
    const onError = (error: unknown) => expect.unreachable(String(error))
    const { call } = createControlClient((await start({ snapshots, onError })).url)
    await writeFile(snapshots, '')
    const reason = `The snapshots in ${snapshots} cannot be used: E`
    await expect(call('saveSnapshot', { name: 'b' })).rejects.toThrow(reason)
    await expect(call('loadSnapshot', { name: 'b' })).rejects.toThrow(reason)
    await expect(call('snapshots')).rejects.toThrow(reason)
    expect(recordsOf(await call('exportState'))).toEqual(fixtures)
  })
})

describe('a fixture file that is saved', () => {
  const withProjects = (count: number) =>
    JSON.stringify({ ...fixture, projects: fixture.projects.slice(0, count) })

  it('is reloaded however the editor saves; an invalid one is reported and changes nothing', async () => {
    const file = join(folder, 'fixture.json')
    await writeFile(file, withProjects(6))
    const reloads: (Error | undefined)[] = []
    let onReload = () => {}
    const { url } = await start({
      watch: file,
      onFixtures(error) {
        reloads.push(error)
        onReload()
      },
    })
    const next = (act: () => Promise<void>) =>
      new Promise<void>((resolve, reject) => {
        onReload = resolve
        act().catch(reject)
      })
    const common = createControlClient(url)
    const space = createControlClient(url, 'a-space')
    const counts = async () => [
      (await common.call('exportState')).projects.length,
      (await space.call('exportState')).projects.length,
    ]
    await create(url, 'Gone after the reload')
    expect(await counts()).toEqual([7, 6])

    await next(() => writeFile(file, withProjects(1)))
    expect(reloads).toEqual([undefined])
    expect(await counts()).toEqual([1, 1])

    await next(() => writeFile(file, '{"version":1,"projects":[{}]}'))
    expect(reloads[1]).toBeInstanceOf(StateError)
    expect(await counts()).toEqual([1, 1])

    await next(async () => {
      await writeFile(`${file}~`, withProjects(2))
      await rename(`${file}~`, file)
    })
    expect(reloads[2]).toBeUndefined()
    expect(await counts()).toEqual([2, 2])
    // A reset and a new space also use the new fixtures.
    await common.call('reset')
    expect(await counts()).toEqual([2, 2])
    expect((await createControlClient(url, 'new').call('exportState')).projects).toHaveLength(2)

    await next(() => rm(file))
    expect(reloads[3]?.message).toBe('fixture.json is gone; it is loaded again when it is back')
    expect(await counts()).toEqual([2, 2])
    await next(() => writeFile(file, withProjects(2)))
    expect(reloads).toHaveLength(5)
    expect(reloads[4]).toBeUndefined()
  })

  it('is not reported as gone while an editor saves it', async () => {
    const file = join(folder, 'fixture.json')
    await writeFile(file, withProjects(6))
    const reloads: (Error | undefined)[] = []
    await start({ watch: file, onFixtures: (error) => reloads.push(error) })
    // Is called when the mock notices that the file is missing.
    const writeAgain = () => writeFileSync(file, withProjects(1))
    watchFile(file, { interval: 100 }, writeAgain)
    await rm(file)
    await expect.poll(() => reloads.length).toBeGreaterThan(0)
    unwatchFile(file, writeAgain)
    expect(reloads).toEqual([undefined])
  })
})
