import type { CaseRequest, Persona, ReceivedResponse } from '../cases/case.js'
import { bundle } from '../cases/requests.js'
import { cookieLookup, createTestData, DeploymentError, discover, mockCookies } from './discover.js'
import { rawRequest } from './raw-request.js'
import { retryingFetch } from './retrying-fetch.js'
import { type Sender, send, type Target } from './target.js'
import { workspaces } from './workspace.js'

export type DeploymentOptions = {
  /** The base URL of the service, e.g. `https://api.example.com`; a path prefix is allowed. */
  url: string
  /** The Cookie headers of the personas. If empty and the service is a mock, the demo's personas are used. */
  cookies: ReadonlyMap<Persona, string>
  /** Run the cases that change data, in the teams of the personas. */
  write: boolean
  interfaceOnly: boolean
}

export type Deployment = Target & { personas: ReadonlySet<Persona> }

/**
 * Opens a running service as a target for cases. Its test data is discovered from the service.
 * @throws DeploymentError where it cannot be reached or cannot be verified with these options
 */
export async function openDeployment({ url, write, ...options }: DeploymentOptions): Promise<Deployment> {
  const base = {
    baseUrl: url.replace(/\/$/, ''),
    fetch: retryingFetch,
    raw: rawRequest,
    data: createTestData(),
  }
  const bundleOf = (cookie: string) => send({ ...base, cookieOf: () => cookie }, bundle('acme-owner'))

  await send({ ...base, cookieOf: () => '' }, bundle()).catch((error: Error) => {
    const { message } = error.cause instanceof Error ? error.cause : error
    throw new DeploymentError(`${url} cannot be reached: ${message}`, 'Is the service running there?')
  })
  const cookies = options.cookies.size > 0 ? options.cookies : await mockCookies(bundleOf)
  const bundles = await Promise.all([...cookies.values()].map(bundleOf))
  const isMock = bundles.some(({ json }) => Object(json).devMode === true)

  const personas = new Set<Persona>(cookies.keys())
  const sender: Sender = { ...base, cookieOf: cookieLookup(cookies) }
  const sendRequest = (request: CaseRequest): Promise<ReceivedResponse> => send(sender, request)
  const teams = write ? workspaces(personas, sendRequest) : []
  for (const team of teams) await team.prepare()

  let data = await discover(personas, sendRequest)
  return {
    ...sender,
    mode: isMock ? 'mock' : 'production',
    interfaceOnly: options.interfaceOnly,
    ownsOrigin: false,
    personas,
    get data() {
      return data
    },
    async reset() {
      const changed: boolean[] = []
      for (const team of teams) changed.push(await team.cleanUp())
      if (changed.includes(true)) data = await discover(personas, sendRequest)
    },
    close: async () => {},
  }
}
