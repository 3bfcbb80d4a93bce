import {
  jsonOf,
  type ProxyRequest,
  type ProxyResponse,
  type Send,
  withJson,
  withRequestJson,
} from '../broken-server-proxy.js'
import type { Who } from '../start-dev-server.js'
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

/** Sends a request again as another caller if the service refuses it with one of these codes. */
const insteadOf =
  (
    codes: string[],
    as: Who,
    applies: (request: ProxyRequest) => boolean = () => true,
  ): BrokenServer['behave'] =>
  ({ cookieOf }) =>
  async (request, send) => {
    const response = await send(request)
    const code = codeOf(response) ?? (response.status === 401 ? 'AUTH_REQUIRED' : '')
    return codes.includes(code) && applies(request) ? send(withCookie(request, cookieOf(as))) : response
  }

/** Treats the session of one persona as that of another. */
const exchanging =
  (from: Who, to: Who, applies: (request: ProxyRequest) => boolean = () => true): BrokenServer['behave'] =>
  ({ cookieOf: of }) =>
  (request, send) =>
    send(applies(request) && cookieOf(request) === of(from) ? withCookie(request, of(to)) : request)

/** Changes the response to an update whose unknown project belongs to another team. */
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
    const there = await send(withRequestJson(withCookie(request, context.cookieOf('other-owner')), {}))
    return there.status === 200 ? answer(response, request, send, context) : response
  }

export const callerServers: BrokenServer[] = [
  // Sessions and callers
  {
    name: 'sessions are ignored',
    caughtBy: 'Without a session cookie a caller may not read, nor with one that is expired',
    behave: insteadOf(['AUTH_REQUIRED'], 'owner'),
  },
  {
    name: 'expired sessions are accepted',
    caughtBy: 'Without a session cookie a caller may not write, nor with one that is expired',
    behave: exchanging('expired', 'owner'),
  },
  {
    name: 'of two cookies the first counts',
    caughtBy: 'Two valid session cookies open none, in one header or in two',
    behave: onRequest((request) => withCookie(request, (cookieOf(request) ?? '').split(';')[0] ?? '')),
  },
  {
    name: 'the signature of cookies is not checked',
    caughtBy: 'A cookie that is changed in one character, cut or extended opens no session',
    mode: 'production',
    behave:
      ({ cookieOf: of }) =>
      (request, send) =>
        send(
          cookieOf(request)?.startsWith(of('owner').slice(0, 30))
            ? withCookie(request, of('owner'))
            : request,
        ),
  },
  {
    name: 'the name of a persona is a session in production',
    caughtBy: 'A name that can be guessed is no session',
    mode: 'production',
    behave:
      ({ cookieOf: of }) =>
      (request, send) =>
        send(cookieOf(request) === 'session=acme-owner' ? withCookie(request, of('owner')) : request),
  },
  {
    name: 'permissions are ignored',
    caughtBy: 'A caller with neither permission may read, and not write',
    behave: insteadOf(['INSUFFICIENT_PERMISSIONS'], 'owner'),
  },
  {
    name: 'either permission permits both operations',
    caughtBy: 'Each of the two permissions permits one operation',
    behave: (context) =>
      insteadOf(['INSUFFICIENT_PERMISSIONS'], 'owner', (request) =>
        [context.cookieOf('creator'), context.cookieOf('updater')].includes(cookieOf(request) ?? ''),
      )(context),
  },
  {
    name: 'the bundle of a viewer lists permissions',
    caughtBy: 'The bundle has the permissions of the caller',
    behave: edits(is('getSession'), (bundle) => ({
      ...bundle,
      permissions: ['create:projects', 'update:projects'],
    })),
  },
  {
    name: 'a user without organisation may create',
    caughtBy: 'A caller without organisation has to finish onboarding before a change',
    behave: insteadOf(['ONBOARDING_REQUIRED'], 'owner'),
  },
  {
    name: 'a user without team may create',
    caughtBy: 'A caller whose organisation has no team may not write',
    behave: insteadOf(['TEAM_MEMBERSHIP_REQUIRED'], 'owner'),
  },
  {
    name: 'a user without team may not list',
    caughtBy: 'Without a team the list is empty',
    behave:
      ({ cookieOf: of }) =>
      async (request, send) =>
        is('listProjects')(request) && cookieOf(request) === of('no-team')
          ? send({ ...request, method: 'POST' })
          : send(request),
  },
  {
    name: 'a user without organisation has no bundle',
    caughtBy: 'Without organisation or team the bundle has empty texts in their place, and no projects',
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
    caughtBy: 'Two teams have different ids, organisation codes and projects',
    behave: exchanging('other-owner', 'owner'),
  },
  {
    name: 'production marks its bundles like the mock',
    caughtBy: 'The bundle of production has neither devMode nor role',
    mode: 'production',
    behave: edits(is('getSession'), (bundle) => ({ ...bundle, devMode: true, role: 'owner' })),
  },
  {
    name: 'the mock emits devMode without role',
    caughtBy: 'The bundle of the mock has devMode and a role',
    behave: edits(is('getSession'), ({ role: _, ...bundle }) => bundle),
  },

  // Teams
  {
    name: "another team's projects can be updated",
    caughtBy:
      "Another team's project gets the response of an unknown one, byte for byte, and stays unchanged",
    behave: insteadOf(['PROJECT_NOT_FOUND'], 'other-owner', is('updateProject')),
  },
  {
    name: "another team's project has a message of its own",
    caughtBy:
      "Another team's project gets the response of an unknown one, byte for byte, and stays unchanged",
    behave: onForeignProject((response) =>
      withJson(response, { ...Object(jsonOf(response)), error: 'That is the project of another team.' }),
    ),
  },
  {
    name: 'names are unique in all teams together',
    caughtBy: 'Two teams may each have a project of one name',
    behave:
      ({ cookieOf: of }) =>
      async (request, send) => {
        if (!is('createProject')(request)) return send(request)
        const others = await projectsFor(
          withCookie(request, of(cookieOf(request) === of('other-owner') ? 'owner' : 'other-owner')),
          send,
        )
        const isTaken = others.some(
          ({ name }) => name.toUpperCase() === String(fieldsOf(request).name).toUpperCase(),
        )
        return isTaken ? nameTaken(request, send) : send(request)
      },
  },
]
