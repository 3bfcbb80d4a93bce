import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../bench/free-port.js'
import { emptyFolder, listening, sessionSecret, startProcess } from '../cli/cli-process.js'
import { parseCopy, readContainerfile, textsOf } from '../package/containerfile.js'
import { fromCache, packDriver } from '../package/packed-driver.js'

const run = promisify(execFile)
const { dependencies, image, start, healthCheck } = readContainerfile()

// The shell runs the instructions without a container: only those that stay in the folder of the stage.
describe('the image of the Containerfile', () => {
  let folder: string
  let app: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dashboard-api-image-'))
    const stage = join(folder, 'dependencies')
    app = join(folder, 'app')
    await mkdir(stage)
    await mkdir(app)
    packDriver(folder)
    const env = { ...process.env, ...fromCache, npm_config_sqlite3_local_prebuilds: folder }
    for (const copied of textsOf(dependencies, 'COPY').flatMap((text) => parseCopy(text).sources)) {
      await cp(copied, join(stage, copied))
    }
    for (const command of textsOf(dependencies, 'RUN')) await run('sh', ['-c', command], { cwd: stage, env })
    for (const { from, sources, target } of textsOf(image, 'COPY').map(parseCopy)) {
      for (const source of sources) {
        const path = source.replace(/^\/app\//, '')
        const to = join(app, target === './' ? basename(path) : target)
        await mkdir(join(to, '..'), { recursive: true })
        // The files of the other stage come from this checkout.
        if (from === 'dependencies') await rename(join(stage, path), to)
        else await cp(path, to, { recursive: true })
      }
    }
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('has the production dependencies of the lock file and both drivers, and nothing else', async () => {
    const read = async (path: string) => JSON.parse(await readFile(path, 'utf8'))
    const { dependencies: declared, ...fields } = await read(join(app, 'package.json'))
    expect(fields).not.toHaveProperty('devDependencies')
    const own = await read('package.json')
    const drivers = { pg: own.peerDependencies.pg, sqlite3: own.peerDependencies.sqlite3 }
    expect(declared).toEqual({ ...own.dependencies, ...drivers })
    // Fails for a package that no other package needs, and for a missing one.
    await run('npm', ['ls', '--all', '--omit=optional', '--omit=peer'], { cwd: app })
    const { packages: installed } = await read(join(app, 'node_modules/.package-lock.json'))
    const { packages: locked } = await read('package-lock.json')
    const versions = (packages: Record<string, { version: string }>) =>
      Object.fromEntries(Object.keys(installed).map((path) => [path, packages[path]?.version]))
    expect(versions(installed)).toEqual(versions(locked))
    for (const name of ['typescript', 'node-gyp', 'msw']) {
      expect(existsSync(join(app, 'node_modules', name)), name).toBe(false)
    }
  })

  it('runs as an unprivileged user', () => {
    expect(textsOf(image, 'USER')).toEqual(['node'])
  })

  it('starts the server, and its health check uses the configured port', async () => {
    const port = String(await freePort())
    const database = join(emptyFolder(), 'data.db')
    const settings = {
      DASHBOARD_API_PORT: port,
      DASHBOARD_API_HOST: '127.0.0.1',
      DASHBOARD_API_DATABASE: database,
      DASHBOARD_API_SESSION_SECRET: sessionSecret,
    }
    const [program = '', ...args] = start
    const server = startProcess(program, args, { cwd: app, env: settings })
    expect(await listening(server)).toBe(`http://127.0.0.1:${port}`)
    const check = (env: Record<string, string>) => checkHealth(app, { ...settings, ...env })
    expect(await check({})).toBe(0)
    expect(await check({ DASHBOARD_API_HOST: '0.0.0.0' })).toBe(0)
    expect(await check({ DASHBOARD_API_HOST: ' [127.0.0.1]', DASHBOARD_API_PORT: `${port}\r` })).toBe(0)
    expect(await check({ DASHBOARD_API_PORT: String(await freePort()) })).toBe(1)
    server.child.kill('SIGTERM')
    expect((await server.ended).code).toBe(0)
  })
})

/** Runs the command of HEALTHCHECK. Returns its exit code. */
async function checkHealth(cwd: string, env: Record<string, string>): Promise<number | null> {
  const [program = '', ...args] = healthCheck
  return (await startProcess(program, args, { cwd, env }).ended).code
}
