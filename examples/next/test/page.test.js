import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { after, before, beforeEach, test } from 'node:test'
import { connectToMock } from 'dashboard-api/control'

const processes = []

/** Starts a command of this folder's packages; resolves with the address that it prints. */
function start(name, args, env = {}) {
  const child = spawn(`node_modules/.bin/${name}`, args, { env: { ...process.env, ...env }, detached: true })
  processes.push(child)
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (text) => {
      output += text
      const [url] = /http:\/\/[^/\s"]+:\d+/.exec(output) ?? []
      if (url) resolve(url)
    }
    child.stdout.setEncoding('utf8').on('data', read)
    child.stderr.setEncoding('utf8').on('data', read)
    child.on('exit', (code) => reject(new Error(`${name} ended with ${code}: ${output}`)))
  })
}

let mock
let url

before(async () => {
  const apiUrl = await start('dashboard-api', ['dev', '--port', '0', '--handlers', 'mocks/handlers.js'])
  mock = connectToMock(apiUrl)
  url = await start('next', ['dev', '--port', '0'], { API_URL: apiUrl, NEXT_TELEMETRY_DISABLED: '1' })
})
beforeEach(() => mock.reset())
// A process group each: `next dev` has children.
after(() => {
  for (const { pid } of processes) process.kill(-pid)
})

const page = async (cookie = '') => (await fetch(url, { headers: { cookie } })).text()

test('a server component shows what the mock and the own handlers answer', async () => {
  const html = await page('session=acme-owner')
  assert.match(html, /<li>Mobile app<\/li>/)
  assert.match(html, /Invoice (<!-- -->)?200/)
})

test('a visitor without a session is led to the sign-in page of the mock', async () => {
  assert.match(await page(), /href="\/auth\/sign-in"/)
  assert.match(await (await fetch(`${url}/auth/sign-in`)).text(), /ada@acme\.example/)
})

test('a scenario applies to server components', async () => {
  await mock.scenarios.set({ target: 'listProjects', outcome: 'SERVICE_UNAVAILABLE', times: null })
  assert.match(await page('session=acme-owner'), /role="alert"/)
})

test('the browser calls the service at the origin of the page', async () => {
  const me = await (await fetch(`${url}/v1/auth/me`, { headers: { cookie: 'session=acme-viewer' } })).json()
  assert.equal(me.user.email, 'vera@acme.example')
  assert.deepEqual(await (await fetch(`${url}/api/invoices/7`)).json(), { number: 7 })
})
