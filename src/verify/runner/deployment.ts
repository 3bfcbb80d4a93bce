import type { Answer, Persona, Request } from '../cases/case.js'
import { bundle } from '../cases/requests.js'
import { cookieOfGiven, DeploymentError, discover, mockCookies, worldOf } from './discover.js'
import { patientFetch } from './patient-fetch.js'
import { rawRequest } from './raw-request.js'
import { type Sender, send, type Target } from './target.js'
import { workspaces } from './workspace.js'

export type DeploymentOptions = {
  /** Where the service answers, e.g. `https://api.example.com`; a path prefix is allowed. */
  url: string
  /** The Cookie headers of the personas that there are; in the mock their names, where none is given. */
  cookies: ReadonlyMap<Persona, string>
  /** Let cases change what the teams of the personas hold. */
  write: boolean
  interfaceOnly: boolean
}

export type Deployment = Target & { personas: ReadonlySet<Persona> }

/**
 * A running service as a target for cases, known by what it says of itself.
 * @throws DeploymentError where it cannot be reached, or not be verified as asked for
 */
export async function openDeployment({ url, write, ...options }: DeploymentOptions): Promise<Deployment> {
  const bare = { baseUrl: url.replace(/\/$/, ''), fetch: patientFetch, raw: rawRequest, world: worldOf() }
  const bundleOf = (cookie: string) => send({ ...bare, cookieOf: () => cookie }, bundle('acme-owner'))

  await send({ ...bare, cookieOf: () => '' }, bundle()).catch((error: Error) => {
    const { message } = error.cause instanceof Error ? error.cause : error
    throw new DeploymentError(`${url} cannot be reached: ${message}`, 'Is the service running there?')
  })
  const cookies = options.cookies.size > 0 ? options.cookies : await mockCookies(bundleOf)
  const bundles = await Promise.all([...cookies.values()].map(bundleOf))
  const isMock = bundles.some(({ json }) => Object(json).devMode === true)

  const personas = new Set<Persona>(cookies.keys())
  const sender: Sender = { ...bare, cookieOf: cookieOfGiven(cookies) }
  const ask = (request: Request): Promise<Answer> => send(sender, request)
  const teams = write ? workspaces(personas, ask) : []
  for (const team of teams) await team.prepare()

  let world = await discover(personas, ask)
  return {
    ...sender,
    mode: isMock ? 'mock' : 'production',
    interfaceOnly: options.interfaceOnly,
    ownsOrigin: false,
    personas,
    get world() {
      return world
    },
    async reset() {
      const changed: boolean[] = []
      for (const team of teams) changed.push(await team.cleanUp())
      if (changed.includes(true)) world = await discover(personas, ask)
    },
    close: async () => {},
  }
}
