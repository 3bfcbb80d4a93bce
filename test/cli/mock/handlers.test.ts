import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withModules } from '../../mock/with-modules.js'
import { emptyFolder, listening, run, start } from '../cli-process.js'
import { rowsOf } from './running-mock.js'

const handlers = `import { http, HttpResponse } from 'msw'
export const handlers = [http.get('/api/invoices/:id', ({ params }) => HttpResponse.json({ id: params.id }))]`

test('custom handlers are listed, forced and delayed by their target, and exported to a file that dev accepts', async () => {
  const cwd = withModules(emptyFolder())
  writeFileSync(`${cwd}/handlers.js`, handlers)
  const dev = (file: string) =>
    listening(start(['dev', '--port', '0', '--json', '--handlers', file], { cwd }))
  const url = await dev('handlers.js')
  const cli = async (...args: string[]) => {
    const ended = await run([...args, '--url', url], { cwd })
    expect(ended, args.join(' ')).toMatchObject({ code: 0 })
    return ended
  }
  const status = async (to: string, path: string) => (await fetch(`${to}${path}`)).status
  expect(await status(url, '/api/invoices/7')).toBe(200)
  expect(await status(url, '/api/orders/9')).toBe(404)
  const listed = rowsOf(await cli('mock', 'handlers', 'list'))
  expect(listed[0]).toEqual(['Target', 'Kind', 'Requests', 'Outcomes'])
  expect(listed.map((row) => row.slice(0, 3))).toEqual(
    expect.arrayContaining([
      ['GET /api/invoices/:id', 'handler', '1'],
      ['GET /api/orders/:id', 'unanswered', '1'],
    ]),
  )
  expect(JSON.parse((await cli('mock', 'handlers', 'list', '--json')).stdout)).toHaveLength(listed.length - 1)

  await cli('mock', 'scenario', 'set', 'GET /api/invoices/:id', '503', '--until-cleared')
  await cli('mock', 'delay', 'set', '1-5', 'GET /api/invoices/:id')
  await cli('mock', 'chaos', 'set', 'GET /api/orders/:id', '--error-rate', '0')
  writeFileSync(`${cwd}/order.json`, '{"order":9}')
  await cli('mock', 'scenario', 'set', 'GET /api/orders/:id', '--body', 'order.json', '--until-cleared')
  await cli('mock', 'scenario', 'set', 'createProject', '409', '--until-cleared')
  expect(await status(url, '/api/invoices/7')).toBe(503)
  expect(rowsOf(await cli('mock', 'delay', 'show'))).toContainEqual(['GET /api/invoices/:id', '1-5'])
  expect((await cli('mock', 'log')).stdout).toContain('scenario')

  const printed = (await cli('mock', 'handlers', 'export')).stdout
  expect((await cli('mock', 'handlers', 'export', 'made.js')).stderr).toBe('Wrote made.js.\n')
  expect(readFileSync(`${cwd}/made.js`, 'utf8')).toBe(printed)
  const again = await dev('made.js')
  expect(await status(again, '/api/invoices/7')).toBe(503)
  expect(await (await fetch(`${again}/api/orders/9`)).json()).toEqual({ order: 9 })
  const created = await fetch(`${again}/v1/projects`, { method: 'POST' })
  expect([created.status, (await created.json()).code]).toEqual([409, 'PROJECT_NAME_TAKEN'])
})

test('an error that a custom handler throws after its response is printed, and the mock keeps running with its data', async () => {
  const cwd = withModules(emptyFolder())
  writeFileSync(
    `${cwd}/handlers.js`,
    `import { http, HttpResponse } from 'msw'
export const handlers = [http.get('/api/late', () => {
  setTimeout(() => { throw new Error('thrown late') })
  Promise.reject(new Error('awaited by nobody'))
  return HttpResponse.json({})
})]`,
  )
  const running = start(['dev', '--port', '0', '--json', '--handlers', 'handlers.js'], { cwd })
  const url = await listening(running)
  expect((await fetch(`${url}/api/late`)).status).toBe(200)
  await running.until('stderr', /awaited by nobody/)
  await running.until('stderr', /thrown late/)
  expect((await fetch(`${url}/api/late`)).status).toBe(200)
})
