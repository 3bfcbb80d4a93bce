import type { Persona } from '../../../src/verify/cases/case.js'
import {
  jsonOf,
  type ProxyRequest,
  type ProxyResponse,
  type Send,
  withJson,
  withRequestJson,
} from '../broken-server-proxy.js'
import {
  type Context,
  codeOf,
  cookieOf,
  edits,
  fieldsOf,
  is,
  type Misbehaviour,
  nameTaken,
  onRequest,
  projectsFor,
  withCookie,
} from './misbehaviour.js'

const invalidSessions = /no valid session/
const permission = /permission/
const names = /compared by their keys|4\.1 rule 1/

/** Asks again as another caller if the service behind refuses with one of these codes. */
const insteadOf =
  (
    codes: string[],
    as: Persona,
    applies: (request: ProxyRequest) => boolean = () => true,
  ): Misbehaviour['behave'] =>
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
  ): Misbehaviour['behave'] =>
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
  ): Misbehaviour['behave'] =>
  (context) =>
  async (request, send) => {
    const response = await send(request)
    if (response.status !== 404 || !is('updateProject')(request)) return response
    const there = await send(withRequestJson(withCookie(request, context.cookieOf('globex-owner')), {}))
    return there.status === 200 ? answer(response, request, send, context) : response
  }

export const callerMisbehaviours: Misbehaviour[] = [
  // Sessions and callers
  {
    name: 'sessions are ignored',
    tries: invalidSessions,
    behave: insteadOf(['AUTH_REQUIRED'], 'acme-owner'),
  },
  {
    name: 'expired sessions are accepted',
    tries: /^expired/,
    behave: exchanging('expired', 'acme-owner'),
  },
  {
    name: 'of two cookies the first counts',
    tries: /the same cookie twice|two Cookie headers/,
    behave: onRequest((request) => withCookie(request, (cookieOf(request) ?? '').split(';')[0] ?? '')),
  },
  {
    name: 'the name of the cookie is compared without case',
    tries: invalidSessions,
    behave: onRequest((request) =>
      withCookie(request, (cookieOf(request) ?? '').replace(/\bsession=/i, 'session=')),
    ),
  },
  {
    name: 'the signature of cookies is not checked',
    tries: invalidSessions,
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
    tries: /guessed/,
    mode: 'production',
    behave:
      ({ cookieOf: of }) =>
      (request, send) =>
        send(cookieOf(request) === 'session=acme-owner' ? withCookie(request, of('acme-owner')) : request),
  },
  {
    name: 'permissions are ignored',
    tries: permission,
    behave: insteadOf(['INSUFFICIENT_PERMISSIONS'], 'acme-owner'),
  },
  {
    name: 'permissions to update are ignored',
    tries: permission,
    behave: insteadOf(['INSUFFICIENT_PERMISSIONS'], 'acme-owner', is('updateProject')),
  },
  {
    name: 'the bundle of a viewer lists permissions',
    tries: permission,
    behave: edits(is('getSession'), (bundle) => ({
      ...bundle,
      permissions: ['create:projects', 'update:projects'],
    })),
  },
  {
    name: 'members may not create',
    tries: /^member/,
    behave: exchanging('acme-member', 'acme-viewer', is('createProject')),
  },
  {
    name: 'a user without organisation may create',
    tries: /no organisation/,
    behave: insteadOf(['ONBOARDING_REQUIRED'], 'acme-owner'),
  },
  {
    name: 'a user without team may create',
    tries: /no team/,
    behave: insteadOf(['TEAM_MEMBERSHIP_REQUIRED'], 'acme-owner'),
  },
  {
    name: 'a user without team may not list',
    tries: /no team/,
    behave:
      ({ cookieOf: of }) =>
      async (request, send) =>
        is('listProjects')(request) && cookieOf(request) === of('no-team')
          ? send({ ...request, method: 'POST' })
          : send(request),
  },
  {
    name: 'a user without organisation has no bundle',
    tries: /organisation/,
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
    tries: /team/,
    behave: exchanging('globex-owner', 'acme-owner'),
  },
  {
    name: 'production marks its bundles like the mock',
    tries: /bundle returns 200|persona/,
    mode: 'production',
    behave: edits(is('getSession'), (bundle) => ({ ...bundle, devMode: true, role: 'owner' })),
  },
  {
    name: 'production has a role',
    tries: /bundle returns 200/,
    mode: 'production',
    behave: edits(is('getSession'), (bundle) => ({ ...bundle, role: 'owner' })),
  },
  {
    name: 'the mock emits devMode without role',
    tries: /bundle returns 200/,
    behave: edits(is('getSession'), ({ role: _, ...bundle }) => bundle),
  },
  {
    name: 'the mock emits role without devMode',
    tries: /bundle returns 200/,
    behave: edits(is('getSession'), ({ devMode: _, ...bundle }) => bundle),
  },
  {
    name: 'the mock does not mark its bundles',
    tries: /mock's bundle|guessed/,
    behave: edits(is('getSession'), ({ devMode: _, role: __, ...bundle }) => bundle),
  },

  // Teams
  {
    name: "another team's projects can be updated",
    tries: /foreign ids/,
    behave: insteadOf(['PROJECT_NOT_FOUND'], 'globex-owner', is('updateProject')),
  },
  {
    name: "another team's project is 403",
    tries: /foreign ids/,
    behave: onForeignProject((_, request, send, { cookieOf: of }) =>
      send(withCookie(request, of('acme-viewer'))),
    ),
  },
  {
    name: "another team's project has a message of its own",
    tries: /foreign ids/,
    behave: onForeignProject((response) =>
      withJson(response, { ...Object(jsonOf(response)), error: 'That is the project of another team.' }),
    ),
  },
  {
    name: 'the list has the projects of all teams',
    tries: /list/,
    behave:
      ({ cookieOf: of }) =>
      async (request, send) => {
        const response = await send(request)
        if (!is('listProjects')(request) || response.status !== 200) return response
        const others = await projectsFor(withCookie(request, of('globex-owner')), send)
        return withJson(response, { projects: [...others, ...Object(jsonOf(response)).projects] })
      },
  },
  {
    name: 'names are unique in all teams together',
    tries: names,
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
