import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import fixture from '../../../fixtures/demo.json' with { type: 'json' }
import { createControlClient } from '../../../src/mock/http/control-client.js'
import { type DevServer, type DevServerOptions, startDevServer } from '../../../src/mock/http/dev-server.js'
import { parseState, parseStateText, StateError } from '../../../src/store/state-file.js'

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
  parseStateText(await readFile(file, 'utf8')).projects.map(({ name }) => name)

describe('a state that is kept over restarts', () => {
  it('is on the disk before the answer, and is what the next run begins with', async () => {
    const persist = join(folder, 'state.json')
    const first = await start({ persist, clock: { at: '2026-01-01T00:00:00Z' }, seed: 1 })
    expect(parseStateText(await readFile(persist, 'utf8'))).toEqual(fixtures)
    expect(await create(first.url, 'Kept')).toBe(201)
    expect(await namesIn(persist)).toContain('Kept')
    expect(await create(first.url, 'Elsewhere', 'a-space')).toBe(201)
    expect(await namesIn(persist)).not.toContain('Elsewhere')
    await first.close()

    // The same seed and clock would give the same id again.
    const second = await start({ persist, clock: { at: '2026-01-01T00:00:00Z' }, seed: 1 })
    expect(await create(second.url, 'kept')).toBe(409)
    expect(await create(second.url, 'Second')).toBe(201)
    await createControlClient(second.url).call('reset')
    expect(parseStateText(await readFile(persist, 'utf8'))).toEqual(fixtures)
    expect(await readdir(folder)).toEqual(['state.json'])
  })

  it.each([
    ['{"version":1,"projects":[{"id":"p"}]}', 'projects[0].name'],
    ['{"version":1,', 'not JSON'],
    ['', 'not JSON'],
    ['{"version":2}', 'version'],
  ])('refuses the wrong file %s and leaves it alone', async (text, says) => {
    const persist = join(folder, 'state.json')
    await writeFile(persist, text)
    const refused = await start({ persist }).catch((error) => error)
    expect(refused).toBeInstanceOf(StateError)
    expect(refused.message).toContain(says)
    expect(await readFile(persist, 'utf8')).toBe(text)
  })

  it('says at the start where it cannot be written, and later goes on and says so', async () => {
    await expect(start({ persist: join(folder, 'none', 'state.json') })).rejects.toThrow('ENOENT')
    const errors: unknown[] = []
    const place = join(folder, 'place')
    await mkdir(place)
    const { url } = await start({
      persist: join(place, 'state.json'),
      onError: (error) => errors.push(error),
    })
    await rename(place, join(folder, 'moved'))
    expect(await create(url, 'Not kept')).toBe(201)
    expect(errors).toEqual([expect.objectContaining({ code: 'ENOENT' })])
  })
})

describe('snapshots in a folder', () => {
  it('are state files, there for the next run, and nothing else of the folder is', async () => {
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
    expect(await again.call('exportState')).toEqual(fixtures)
    await again.call('loadSnapshot', { name: 'b' })
    expect((await again.call('exportState')).projects).toHaveLength(7)
  })
})

describe('a fixture that is saved', () => {
  const withProjects = (count: number) =>
    JSON.stringify({ ...fixture, projects: fixture.projects.slice(0, count) })

  it('is loaded anew, however the editor saves; a wrong one is reported and changes nothing', async () => {
    const file = join(folder, 'fixture.json')
    await writeFile(file, withProjects(6))
    const told: (Error | undefined)[] = []
    let heard = () => {}
    const { url } = await start({
      watch: file,
      onFixtures(error) {
        told.push(error)
        heard()
      },
    })
    const next = (act: () => Promise<void>) =>
      new Promise<void>((resolve, reject) => {
        heard = resolve
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
    expect(told).toEqual([undefined])
    expect(await counts()).toEqual([1, 1])

    await next(() => writeFile(file, '{"version":1,"projects":[{}]}'))
    expect(told[1]).toBeInstanceOf(StateError)
    expect(await counts()).toEqual([1, 1])

    await next(async () => {
      await writeFile(`${file}~`, withProjects(2))
      await rename(`${file}~`, file)
    })
    expect(told[2]).toBeUndefined()
    expect(await counts()).toEqual([2, 2])
    // What a reset, and a space made later, begin with.
    await common.call('reset')
    expect(await counts()).toEqual([2, 2])
    expect((await createControlClient(url, 'new').call('exportState')).projects).toHaveLength(2)
  })
})

describe('a mock that is killed while it writes', { timeout: 60_000 }, () => {
  const script = fileURLToPath(new URL('../mock-process.js', import.meta.url))

  const launch = async (): Promise<{ child: ChildProcess; url: string }> => {
    const child = spawn(process.execPath, [script, join(folder, 'state.json'), join(folder, 'snapshots')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data')
    return { child, url: String(line).trim() }
  }

  it('has kept everything that it answered for, and every snapshot whole', async () => {
    const acknowledged: string[] = []
    for (let round = 0; round < 4; round++) {
      const { child, url } = await launch()
      const { call } = createControlClient(url)
      let saved = 0
      let ended = false
      const writer = async (who: string) => {
        for (let i = 0; !ended; i++) {
          const name = `${round} ${who} ${i}`
          if ((await create(url, name).catch(() => 0)) === 201) acknowledged.push(name)
        }
      }
      const saver = async () => {
        while (!ended) {
          await call('saveSnapshot', { name: 'same' }).then(
            () => {
              saved += 1
              // In the middle of whatever is being written then.
              if (saved === 5 + round * 3) child.kill('SIGKILL')
            },
            () => {},
          )
        }
      }
      const gone = once(child, 'exit').then(() => {
        ended = true
      })
      await Promise.all([gone, writer('a'), writer('b'), writer('c'), saver()])

      const kept = await namesIn(join(folder, 'state.json'))
      expect(kept).toEqual(expect.arrayContaining(acknowledged))
      expect((await namesIn(join(folder, 'snapshots', 'same.json'))).length).toBeGreaterThanOrEqual(6)
    }
    expect(acknowledged.length).toBeGreaterThan(10)
  })
})
