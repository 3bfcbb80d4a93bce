import { type ProxyRequest, withRequestJson } from '../broken-server-proxy.js'
import {
  type BrokenServer,
  type Context,
  fieldsOf,
  isChange,
  listPath,
  nameTaken,
  projectsFor,
  withCookie,
  withType,
} from './broken-server.js'

/** Returns the response to another request if that has one of these statuses. */
const checksFirst =
  (
    other: (request: ProxyRequest, context: Context) => ProxyRequest,
    of: number[],
    statuses: number[],
  ): BrokenServer['behave'] =>
  (context) =>
  async (request, send) => {
    const response = await send(request)
    if (!isChange(request) || !of.includes(response.status)) return response
    const another = await send(other(request, context))
    return statuses.includes(another.status) ? another : response
  }

/** Returns the error of an owner's request where the caller must get the status in the middle. */
const asOwner: [name: string, refusedWith: number, answeredFirst: number[]][] = [
  ['the body is checked before the session', 401, [413, 415, 422]],
  ['the id is checked before the session', 401, [400, 404]],
  ['the body is checked before the organisation', 400, [413, 415, 422]],
  ['the body is checked before the team and the permission', 403, [413, 415, 422]],
  ['the name is checked before the permission', 403, [409]],
  ['the project is looked up before the permission', 403, [404]],
]

export const orderServers: BrokenServer[] = [
  ...asOwner.map(([name, refusedWith, answeredFirst]) => ({
    name,
    caughtBy: 'Of two faults of an update the one that is checked first decides',
    behave: checksFirst(
      (request, { cookieOf: of }) => withCookie(request, of('owner')),
      [refusedWith],
      answeredFirst,
    ),
  })),
  {
    name: 'the body is checked before a blank id',
    caughtBy: 'Of two faults of an update the one that is checked first decides',
    behave: checksFirst((request) => ({ ...request, path: `${listPath}/unknown` }), [400], [413, 415, 422]),
  },
  {
    name: 'the project is looked up before the body is checked',
    caughtBy: 'Of two faults of an update the one that is checked first decides',
    behave: checksFirst(
      (request) => withRequestJson(withType(request, 'application/json'), {}),
      [422],
      [404],
    ),
  },
  {
    name: 'the name is checked before the project is looked up',
    caughtBy: 'Of two faults of an update the one that is checked first decides',
    behave: () => async (request, send) => {
      const response = await send(request)
      const isTaken =
        response.status === 404 &&
        (await projectsFor(request, send)).some(({ name }) => name === fieldsOf(request).name)
      return isTaken ? nameTaken(request, send) : response
    },
  },
]
