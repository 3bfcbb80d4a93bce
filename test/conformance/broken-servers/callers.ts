import type { Persona } from '../../../src/conformance/cases/case.js'
import {
  jsonOf,
  type ProxyRequest,
  type ProxyResponse,
  type Send,
  withJson,
  withRequestJson,
} from '../broken-server-proxy.js'
import {
  type BrokenServer,
  type Context,
  codeOf,
  cookieOf,
  edits,
  fieldsOf,
  is,
  nameTaken,
  onRequest,
  projectsFor,
  withCookie,
} from './broken-server.js'

const invalidSessions = /no valid session/
const permission = /permission/
const names = /compared by their keys|4\.1 rule 1/

/** Asks again as another caller if the service behind refuses with one of these codes. */
const insteadOf =
  (
    codes: string[],
    as: Persona,
    applies: (request: ProxyRequest) => boolean = () => true,
  ): BrokenServer['behave'] =>
  ({ cookieOf }) =>
  async (request, send) => {
    const response = await send(request)
    const code = codeOf(response) ?? (response.status === 401 ? 'AUTH_REQUIRED' : '')
    return codes.includes(code) && applies(request) ? send(withCookie(request, cookieOf(as))) : response
  }

/** Takes the session of one persona for that of another. */
const exchanging =
  (
    from: Persona,
    to: Persona,
    applies: (request: ProxyRequest) => boolean = () => true,
  ): BrokenServer['behave'] =>
  ({ cookieOf: of }) =>
  (request, send) =>
    send(applies(request) && cookieOf(request) === of(from) ? withCookie(request, of(to)) : request)

/** Answers in its own way where the unknown project of an update is another team's. */
const onForeignProject =
  (
    answer: (
      response: ProxyResponse,
      request: ProxyRequest,
      send: Send,
      context: Context,
    ) => ProxyResponse | Promise<ProxyResponse>,
  ): BrokenServer['behave'] =>
  (context) =>
  async (request, send) => {
    const response = await send(request)
    if (response.status !== 404 || !is('updateProject')(request)) return response
    const there = await send(withRequestJson(withCookie(request, context.cookieOf('globex-owner')), {}))
    return there.status === 200 ? answer(response, request, send, context) : response
  }

export const callerServers: BrokenServer[] = [
  // Sessions and callers
  {
    name: 'sessions are ignored',
    caughtBy: invalidSessions,
    behave: insteadOf(['AUTH_REQUIRED'], 'acme-owner'),
  },
  {
    name: 'expired sessions are accepted',
    caughtBy: /^expired/,
    behave: exchanging('expired', 'acme-owner'),
  },
  {
    name: 'of two cookies the first counts',
    caughtBy: /the same cookie twice|two Cookie headers/,
    behave: onRequest((request) => withCookie(request, (cookieOf(request) ?? '').split(';')[0] ?? '')),
  },
  {
    name: 'the signature of cookies is not checked',
    caughtBy: invalidSessions,
    mode: 'production',
    behave:
      ({ cookieOf: of }) =>
      (request, send) =>
        send(
          cookieOf(request)?.startsWith(of('acme-owner').slice(0, 30))
            ? withCookie(request, of('acme-owner'))
            : request,
        ),
  },
  {
    name: 'the name of a persona is a session in production',
    caughtBy: /guessed/,
    mode: 'production',
    behave:
      ({ cookieOf: of }) =>
      (request, send) =>
        send(cookieOf(request) === 'session=acme-owner' ? withCookie(request, of('acme-owner')) : request),
  },
  {
    name: 'permissions are ignored',
    caughtBy: permission,
    behave: insteadOf(['INSUFFICIENT_PERMISSIONS'], 'acme-owner'),
  },
  {
    name: 'the bundle of a viewer lists permissions',
    caughtBy: permission,
    behave: edits(is('getSession'), (bundle) => ({
      ...bundle,
      permissions: ['create:projects', 'update:projects'],
    })),
  },
  {
    name: 'a user without organisation may create',
    caughtBy: /no organisation/,
    behave: insteadOf(['ONBOARDING_REQUIRED'], 'acme-owner'),
  },
  {
    name: 'a user without team may create',
    caughtBy: /no team/,
    behave: insteadOf(['TEAM_MEMBERSHIP_REQUIRED'], 'acme-owner'),
  },
  {
    name: 'a user without team may not list',
    caughtBy: /no team/,
    behave:
      ({ cookieOf: of }) =>
      async (request, send) =>
        is('listProjects')(request) && cookieOf(request) === of('no-team')
          ? send({ ...request, method: 'POST' })
          : send(request),
  },
  {
    name: 'a user without organisation has no bundle',
    caughtBy: /organisation/,
    behave:
      ({ cookieOf: of }) =>
      (request, send) =>
        send(
          is('getSession')(request) && cookieOf(request) === of('no-organization')
            ? withCookie(request, 'session=')
            : request,
        ),
  },
  {
    name: 'the two teams are one',
    caughtBy: /team/,
    behave: exchanging('globex-owner', 'acme-owner'),
  },
  {
    name: 'production marks its bundles like the mock',
    caughtBy: /bundle returns 200|persona/,
    mode: 'production',
    behave: edits(is('getSession'), (bundle) => ({ ...bundle, devMode: true, role: 'owner' })),
  },
  {
    name: 'the mock emits devMode without role',
    caughtBy: /bundle returns 200/,
    behave: edits(is('getSession'), ({ role: _, ...bundle }) => bundle),
  },

  // Teams
  {
    name: "another team's projects can be updated",
    caughtBy: /foreign ids/,
    behave: insteadOf(['PROJECT_NOT_FOUND'], 'globex-owner', is('updateProject')),
  },
  {
    name: "another team's project is 403",
    caughtBy: /foreign ids/,
    behave: onForeignProject((_, request, send, { cookieOf: of }) =>
      send(withCookie(request, of('acme-viewer'))),
    ),
  },
  {
    name: "another team's project has a message of its own",
    caughtBy: /foreign ids/,
    behave: onForeignProject((response) =>
      withJson(response, { ...Object(jsonOf(response)), error: 'That is the project of another team.' }),
    ),
  },
  {
    name: 'names are unique in all teams together',
    caughtBy: names,
    behave:
      ({ cookieOf: of }) =>
      async (request, send) => {
        if (!is('createProject')(request)) return send(request)
        const others = await projectsFor(
          withCookie(request, of(cookieOf(request) === of('globex-owner') ? 'acme-owner' : 'globex-owner')),
          send,
        )
        const isTaken = others.some(
          ({ name }) => name.toUpperCase() === String(fieldsOf(request).name).toUpperCase(),
        )
        return isTaken ? nameTaken(request, send) : send(request)
      },
  },
]
