import { operationNames, operations } from '../../contract/operations.js'
import type { Case, CaseRequest } from '../case.js'
import { expectEqual, expectError, expectHeader, expectSame, expectStatus } from '../expect.js'
import { bundle, create, join, list, update } from '../requests.js'

// Requests that a browser sends for a page of another site, with its session cookie (section 5). No fetch client can set
// these headers.

const ofOtherSites: Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-user': '?1' },
  { 'sec-fetch-site': 'cross-site', 'x-requested-with': 'XMLHttpRequest', referer: 'https://evil.example/' },
  { origin: 'null' },
  { origin: 'https://localhost.evil.example', 'x-csrf-token': 'x' },
  { origin: 'https://evil-localhost' },
  { origin: 'https://user@evil.example' },
  { origin: 'file://' },
  { origin: 'chrome-extension://evil' },
]

/** A case of a change that pages of other sites send. */
const refusedFirst = (what: string, requestOf: (id: string) => CaseRequest): Case => ({
  title: `${what} of a page of another site is refused first of all, and changes nothing`,
  requirement: 'callers: other sites',
  write: true,
  async play({ send, origin, newProject, projectsOf }) {
    const { id } = await newProject()
    const before = await projectsOf('owner')
    for (const headers of [...ofOtherSites, { origin: `${origin}.evil.example` }]) {
      const reply = await send({ ...requestOf(id), headers, raw: true })
      if (requestOf(id).path === '/v1/waitlist') expectStatus(reply, 403)
      else expectError(reply, 'CROSS_SITE_REFUSED')
    }
    expectEqual(await projectsOf('owner'), before, 'the list')
  },
})

export const otherSiteCases: Case[] = [
  refusedFirst('A creation', () => create('owner', { name: 'Evil' })),
  refusedFirst('A broken creation', () => ({ ...create('viewer'), bytes: '{', type: 'text/plain' })),
  refusedFirst('An update', (id) => update('owner', id, { status: 'evil' })),
  refusedFirst('A creation without a session', () => create(undefined, { name: 'Evil' })),
  refusedFirst('A sign-up', () => join({ email: 'evil@example.com' })),
  {
    title: 'A sign-out of a page of another site is refused, and the session goes on',
    requirement: 'callers: other sites',
    write: true,
    async play({ send }) {
      for (const headers of ofOtherSites) {
        const reply = await send({ method: 'POST', path: '/auth/sign-out', as: 'viewer', headers, raw: true })
        expectStatus(reply, 403)
        expectHeader(reply, 'set-cookie', null)
      }
      expectStatus(await send(list('viewer')), 200)
    },
  },
  {
    title: 'A page of another port, or below the own host, may not write',
    requirement: 'callers: other sites',
    // The mock allows the pages of its machine.
    mode: 'production',
    write: true,
    async play({ send, origin }) {
      for (const other of [origin.replace(/(:\d+)?$/, ':9'), origin.replace('//', '//evil.')]) {
        const request = { ...create('owner', { name: 'Evil' }), headers: { origin: other }, raw: true }
        expectError(await send(request), 'CROSS_SITE_REFUSED')
      }
    },
  },
  {
    title: 'A page of the own site may create and update',
    requirement: 'callers: other sites',
    write: true,
    async play({ send, origin, newName, newProject }) {
      const { id } = await newProject()
      for (const headers of [
        { origin },
        { origin, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
        { 'sec-fetch-site': 'same-origin' },
        { 'sec-fetch-site': 'none' },
      ] as Record<string, string>[]) {
        expectStatus(await send({ ...create('owner', { name: newName() }), headers, raw: true }), 201)
        expectStatus(await send({ ...update('owner', id, {}), headers, raw: true }), 200)
      }
    },
  },
  {
    title:
      'A page of another site may read nothing: the response is the usual one, and names no allowed origin',
    requirement: 'callers: other sites',
    async play({ send }) {
      for (const request of [list('owner'), bundle('owner'), list()]) {
        const plain = await send({ ...request, raw: true })
        // That no header of CORS is there is checked of every response.
        for (const headers of ofOtherSites) expectSame(await send({ ...request, headers, raw: true }), plain)
      }
    },
  },
  {
    title: 'A preflight request of another site is refused',
    requirement: 'callers: other sites',
    write: true,
    async play({ send }) {
      for (const name of operationNames) {
        const { path, method } = operations[name]
        const headers = { origin: 'https://evil.example', 'access-control-request-method': method }
        const reply = await send({
          method: 'OPTIONS',
          path: path.replace(/\{\w+\}/, 'x'),
          headers,
          raw: true,
        })
        expectStatus(reply, 405)
        expectHeader(reply, 'access-control-allow-methods', null)
      }
    },
  },
]
