// What is measured beside the service: what one would take instead of it, started as its users start it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { names, work } from './work.js'
import { projectOf, secret } from './world.js'

const own = (path) => new URL(path, import.meta.url).pathname
const node = process.execPath

/** Express with better-sqlite3, written by hand: each write committed and durable before it is answered. */
export const expressSqlite = ({ database, cookies }) => ({
  name: names.express,
  command: (port) => [node, [own('../peers/express-sqlite.js'), port, database, secret]],
  work: work(cookies),
})

const peer = (...path) => own(join('../peers/node_modules', ...path))

/** json-server has resources of its own form, and no sessions; `resourcesOf` are what it serves. */
const resources = {
  list: { method: 'GET', path: '/projects', status: 200 },
  bundle: { method: 'GET', path: '/me', status: 200 },
  create: {
    method: 'POST',
    path: '/projects',
    status: 201,
    body: '{"name":"New #","description":"About it"}',
  },
  update: {
    method: 'PATCH',
    path: `/projects/${projectOf(0, 0).id}`,
    status: 200,
    body: '{"status":"status #"}',
  },
  waitlist: { method: 'POST', path: '/waitlist', status: 201, body: '{"email":"new-#@acme.example"}' },
}

/** The interface's answers as resources of json-server. */
export const resourcesOf = (answers) => ({
  projects: answers['/v1/projects'].projects,
  me: answers['/v1/auth/me'],
  waitlist: [],
})

export const jsonServer0 = (file) => ({
  name: names.jsonServer0,
  command: (port) => [
    node,
    [peer('json-server-0/lib/cli/bin.js'), '--quiet', '--port', port, '--host', '127.0.0.1', file],
  ],
  work: resources,
})

export const jsonServer1 = (file) => ({
  name: names.jsonServer1,
  command: (port) => [node, [peer('json-server/lib/bin.js'), '--port', port, '--host', '127.0.0.1', file]],
  work: resources,
})

export const prism = (document) => ({
  name: names.prism,
  command: (port) => [
    node,
    [
      own('../../node_modules/@stoplight/prism-cli/dist/index.js'),
      'mock',
      '--port',
      port,
      '--host',
      '127.0.0.1',
      document,
    ],
  ],
  work: work(['session=any']),
})

export const mockoon = (environment) => ({
  name: names.mockoon,
  command: (port) => [
    node,
    [
      peer('@mockoon/cli/bin/run.js'),
      'start',
      '--disable-log-to-file',
      '--data',
      environment,
      '--port',
      port,
    ],
  ],
  work: work(),
})

export const httpMiddleware = (answers) => ({
  name: names.httpMiddleware,
  command: (port) => [node, [own('../peers/http-middleware.js'), port, answers]],
  work: work(),
})

/** Our description of the interface, with these answers as its examples, for those that answer from one. */
export function documentFor(answers) {
  const document = JSON.parse(readFileSync(own('../../openapi.json'), 'utf8'))
  for (const [path, body] of Object.entries(answers)) {
    document.paths[path].get.responses[200].content['application/json'] = { example: body }
  }
  return document
}
