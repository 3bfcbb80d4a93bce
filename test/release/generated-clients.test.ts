import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startDevServer } from '../conformance/start-dev-server.js'
import { startProduction } from '../conformance/start-production.js'
import type { Calls } from './generated-clients/calls.js'

// Clients generated from openapi.json compile under strict TypeScript, and behave as their types declare.

const run = promisify(execFile)
const sources = join(import.meta.dirname, 'generated-clients')
const document = resolve('openapi.json')

/** Writes `generated` into a folder, for a service at a base URL. */
type Generator = (folder: string, baseUrl: string) => Promise<void>

/** The generator finds the TypeScript 5 that it depends on; the project has another version. */
const openapiTypescript: Generator = async (folder) => {
  const cli = join(import.meta.dirname, 'node_modules/.bin/openapi-typescript')
  await run(cli, [document, '--output', join(folder, 'generated.d.ts')])
}

/** In a separate process, since the generator prints. */
const orval: Generator = async (folder, baseUrl) => {
  const output = { target: join(folder, 'generated.ts'), client: 'fetch', baseUrl }
  const script = `import { generate } from 'orval'; await generate(${JSON.stringify({ input: document, output })})`
  await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: import.meta.dirname })
}

/** Compiles calls of a generated client in a temporary folder. @returns the compiled calls */
async function compile(name: string, generator: Generator, baseUrl: string): Promise<Calls> {
  const folder = await mkdtemp(join(tmpdir(), 'generated-client-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await symlink(resolve('node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await cp(join(sources, 'calls.ts'), join(folder, 'calls.ts'))
  await cp(join(sources, `${name}-calls.ts`), join(folder, `${name}-calls.ts`))
  await generator(folder, baseUrl)
  const compilerOptions = { noEmit: false, outDir: 'compiled', exactOptionalPropertyTypes: true }
  const config = { extends: resolve('tsconfig.json'), compilerOptions, include: ['*.ts'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const tsc = resolve('node_modules/typescript/bin/tsc')
  await run(process.execPath, [tsc, '-p', folder]).catch(({ stdout }) => expect.fail(stdout))
  return (await import(pathToFileURL(join(folder, 'compiled', `${name}-calls.js`)).href)).calls
}

describe.each([
  ['openapi-fetch', openapiTypescript],
  ['orval', orval],
] as const)('a client of %s', (name, generator) => {
  test.each([
    ['the dev server', startDevServer],
    ['production', startProduction],
  ])('compiles and runs against %s', async (_, start) => {
    const target = await start()
    onTestFinished(() => target.close())
    const calls = await compile(name, generator, target.baseUrl)

    const { typed, ...results } = await calls(target.baseUrl, target.cookieOf)
    const project = { name: 'Generated', description: null, status: 'active', teamId: 'team-acme' }
    expect(results).toMatchObject({
      created: { status: 201, body: { project } },
      mistyped: { status: 422, body: { code: 'VALIDATION_FAILED' } },
      taken: { status: 409, body: { code: 'PROJECT_NAME_TAKEN' } },
      invalid: { status: 422, body: { details: { fieldErrors: { name: ['Must not be empty'] } } } },
      notOnboarded: { status: 400, body: { code: 'ONBOARDING_REQUIRED' } },
      updated: { status: 200, body: { project: { ...project, status: 'paused' } } },
      unknown: { status: 404, body: { code: 'PROJECT_NOT_FOUND' } },
      listed: { status: 200, body: { projects: expect.any(Array) } },
      session: { status: 200, body: { teamId: 'team-acme' } },
      anonymous: { status: 401, body: { error: expect.any(String) } },
      joined: { status: 200, body: { status: 'ok' } },
      blank: { status: 422, body: { error: 'email_required' } },
    })
    const { id } = (results.created.body as { project: { id: string } }).project
    expect(typed).toMatchObject({ project, fieldErrors: ['Must not be empty'], first: id, status: 'ok' })
  })
})
