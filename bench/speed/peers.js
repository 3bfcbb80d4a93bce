// The alternatives that the service is compared with, started as their users start them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectOf, secret } from './dataset.js'
import { names, workloads } from './workloads.js'

const pathTo = (path) => new URL(path, import.meta.url).pathname
const node = process.execPath

/** Express with better-sqlite3, written by hand. Each write is committed and durable before its response. */
export const expressSqlite = ({ database, cookies }) => ({
  name: names.express,
  command: (port) => [node, [pathTo('../peers/express-sqlite.js'), port, database, secret]],
  workloads: workloads(cookies),
})

/** Express with pg, written by hand. */
export const expressPostgres = ({ database, cookies }) => ({
  name: names.expressPostgres,
  command: (port) => [node, [pathTo('../peers/express-postgres.js'), port, database, secret]],
  workloads: workloads(cookies),
})

const peerFile = (...path) => pathTo(join('../peers/node_modules', ...path))

/** json-server has no sessions, and resources of its own form (`jsonServerData`). */
const jsonServerWorkloads = {
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

/** The responses of the interface as json-server's resources. */
export const jsonServerData = (responses) => ({
  projects: responses['/v1/projects'].projects,
  me: responses['/v1/auth/me'],
  waitlist: [],
})

export const jsonServer0 = (file) => ({
  name: names.jsonServer0,
  command: (port) => [
    node,
    [peerFile('json-server-0/lib/cli/bin.js'), '--quiet', '--port', port, '--host', '127.0.0.1', file],
  ],
  workloads: jsonServerWorkloads,
})

export const jsonServer1 = (file) => ({
  name: names.jsonServer1,
  command: (port) => [
    node,
    [peerFile('json-server/lib/bin.js'), '--port', port, '--host', '127.0.0.1', file],
  ],
  workloads: jsonServerWorkloads,
})

export const prism = (document) => ({
  name: names.prism,
  command: (port) => [
    node,
    [peerFile('@stoplight/prism-cli/dist/index.js'), 'mock', '--port', port, '--host', '127.0.0.1', document],
  ],
  workloads: workloads(['session=any']),
})

export const mockoon = (environment) => ({
  name: names.mockoon,
  command: (port) => [
    node,
    [
      peerFile('@mockoon/cli/bin/run.js'),
      'start',
      '--disable-log-to-file',
      '--data',
      environment,
      '--port',
      port,
    ],
  ],
  workloads: workloads(),
})

export const httpMiddleware = (responses) => ({
  name: names.httpMiddleware,
  command: (port) => [node, [pathTo('../peers/http-middleware.js'), port, responses]],
  workloads: workloads(),
})

/** The OpenAPI document with these responses as its examples, for servers that mock from a document. */
export function openApiWith(responses) {
  const document = JSON.parse(readFileSync(pathTo('../../openapi.json'), 'utf8'))
  for (const [path, body] of Object.entries(responses)) {
    document.paths[path].get.responses[200].content['application/json'] = { example: body }
  }
  return document
}
