import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getResponse, type RequestHandler } from 'msw'
import { createServer, type InlineConfig } from 'vite'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openHandlersFile } from '../../../src/mock/handlers/handlers-file.js'
import { dashboardApi } from '../../../src/mock/vite.js'
import { start, startProcess } from '../../cli/cli-process.js'
import { type Form, forms } from './handler-forms.js'
import { writeForm } from './write-forms.js'

const bodyOf = async (response: Response | undefined) => (response ? response.json() : 'no response')

describe.each(forms)('handlers with $name', (form) => {
  it(form.refused?.dev ? 'are refused by dev' : 'are loaded by dev', async () => {
    vi.stubEnv('VITE_NAME', 'from the environment')
    onTestFinished(() => void vi.unstubAllEnvs())
    const { file } = writeForm(form)
    const opening = openHandlersFile(file)
    if (form.refused?.dev) return expect(opening).rejects.toThrow(form.refused.dev)
    const { handlers, close } = await opening
    onTestFinished(close)
    const request = new Request('http://localhost/form')
    expect(await bodyOf(await getResponse(handlers() as RequestHandler[], request))).toEqual(form.body)
  })

  it(form.refused?.plugin ? "are refused by Vite's plugin" : "are loaded by Vite's plugin", async () => {
    const { root, file } = writeForm(form)
    const config: InlineConfig = {
      root,
      configFile: false,
      logLevel: 'silent',
      plugins: [dashboardApi({ handlers: basename(file) })],
      resolve: { alias: { '#alias': join(root, 'src') }, tsconfigPaths: true },
      server: { host: '127.0.0.1', port: 0 },
    }
    const starting = createServer(config)
    if (form.refused?.plugin) return expect(starting).rejects.toThrow(form.refused.plugin)
    const vite = await starting
    onTestFinished(() => vite.close())
    await vite.listen()
    const [url] = vite.resolvedUrls?.local ?? []
    expect(await bodyOf(await fetch(`${url}form`))).toEqual(form.body)
  })
})

const reloading: Form = {
  name: 'an import that changes',
  files: {
    'handlers.ts': `import { http, HttpResponse } from 'msw'
import { name } from './part'
import data from './data.json'

type Thrown = { message: string }
export const handlers = [
  http.get('*/form', () => HttpResponse.json(name + data.name)),
  http.get('*/throws', () => {
    throw new Error('thrown on purpose')
  }),
]
`,
    'part.ts': "export { name } from './name.mjs'",
    'name.mjs': "export const name = 'first'",
    'data.json': '{"name":"!"}',
  },
}

const root = (file: string) => fileURLToPath(new URL(`../../../${file}`, import.meta.url))

/** The Vite of a user: a configuration, and a process of its own, whose stack traces Vite maps. */
function startVite(folder: string, hmr: boolean) {
  writeFileSync(
    join(folder, 'vite.config.mjs'),
    `import { dashboardApi } from ${JSON.stringify(root('dist/executable/vite.js'))}
export default { plugins: [dashboardApi({ handlers: 'handlers.ts' })], server: { port: 0, hmr: ${hmr} } }`,
  )
  const args = [root('node_modules/vite/bin/vite.js'), '--configLoader', 'native', '--host', '127.0.0.1']
  return startProcess(process.execPath, args, { cwd: folder, env: { NO_COLOR: '1' } })
}

describe.each([
  ['dev', true],
  ["Vite's plugin", true],
  ["Vite's plugin without HMR", false],
])('handlers of %s', (place, hmr) => {
  async function serve() {
    const { root: folder, file } = writeForm(reloading)
    const child = place === 'dev' ? start(['dev', '--port', '0', '--handlers', file]) : startVite(folder, hmr)
    let text = ''
    child.child.stdout?.on('data', (data) => {
      text += data
    })
    child.child.stderr?.on('data', (data) => {
      text += data
    })
    await expect.poll(() => text).toMatch(/http:\/\/[\w.]+:\d+/)
    const [url] = /http:\/\/[\w.]+:\d+/.exec(text) ?? []
    return {
      printed: () => text,
      write: (name: string, written: string) => writeFileSync(join(folder, name), written),
      get: (path: string) => fetch(url + path),
      body: async () => bodyOf(await fetch(`${url}/form`)),
    }
  }

  it('are loaded again when an import of an import changes, and stay while it is faulty', async () => {
    const { write, body, printed } = await serve()
    expect(await body()).toBe('first!')
    write('name.mjs', "export const name = 'second'")
    await expect.poll(body).toBe('second!')
    write('data.json', '{"name":"?"}')
    await expect.poll(body).toBe('second?')
    write('name.mjs', '\nexport const name = = 1')
    await expect.poll(printed).toContain('name.mjs:2')
    expect(await body()).toBe('second?')
    write('name.mjs', "export const name = 'third'")
    await expect.poll(body).toBe('third?')
    write('data.json', '{\n"name":}')
    await expect.poll(printed).toContain('data.json:2')
    write('data.json', '{"name":"."}')
    await expect.poll(body).toBe('third.')
  })

  it('throw with the file and the line as the user wrote them', async () => {
    const { get, printed } = await serve()
    expect((await get('/throws')).status).toBe(500)
    await expect.poll(printed).toContain('thrown on purpose')
    expect(printed()).toMatch(/app\/handlers\.ts:9:\d+/)
  })
})
