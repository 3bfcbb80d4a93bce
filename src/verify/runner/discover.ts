import type { Project, SessionBundle } from '../../contract/schemas.js'
import type { Answer, CookieOf, Persona } from '../cases/case.js'
import { bundle, list } from '../cases/requests.js'
import { type World, worldNames } from '../cases/world.js'

/** A case needs something that this deployment was not shown to have. */
export class NotGivenError extends Error {
  override name = 'NotGivenError'
}

/** The deployment cannot be verified as it was asked for; `hint` says what to do. */
export class DeploymentError extends Error {
  override name = 'DeploymentError'
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}

/** Personas without a bundle of their own to learn from. */
const withoutBundle: Persona[] = ['expired']

type Ask = (request: ReturnType<typeof bundle>) => Promise<Answer>

/** Asks a deployment who its personas are, and what their teams hold. */
export async function discover(personas: Iterable<Persona>, ask: Ask): Promise<World> {
  const bundles = new Map<Persona, SessionBundle>()
  const projects = new Map<Persona, Project[]>()
  for (const as of personas) {
    if (withoutBundle.includes(as)) continue
    const [one, all] = [await ask(bundle(as)), await ask(list(as))]
    if (one.status !== 200) {
      throw new DeploymentError(
        `The cookie of ${as} opens no session: GET /v1/auth/me answered ${one.status}.`,
        'Sign in again, and give the value of the session cookie.',
      )
    }
    bundles.set(as, one.json as SessionBundle)
    // What is not a list of projects is for the cases to complain of.
    const found = Object(all.json).projects
    projects.set(as, Array.isArray(found) ? found : [])
  }
  return worldOf(bundles, projects)
}

/** A world that knows this much. @throws NotGivenError, of its members, for what it does not know */
export function worldOf(
  bundles: ReadonlyMap<Persona, SessionBundle> = new Map(),
  projects: ReadonlyMap<Persona, Project[]> = new Map(),
): World {
  const known = <Value>(of: ReadonlyMap<Persona, Value>, as: Persona): Value => {
    const value = of.get(as)
    if (value === undefined) throw new NotGivenError(`no cookie of ${as} was given`)
    return value
  }
  const first = (as: Persona, name: string): Project => {
    const all = known(projects, as)
    const project = all.find((one) => one.name === name) ?? all[0]
    if (!project) throw new NotGivenError(`the team of ${as} has no project`)
    return project
  }
  return {
    bundle(as) {
      const { devMode: _, role: __, ...rest } = known(bundles, as)
      return rest
    },
    role: (as) => known(bundles, as).role,
    projects: (as) => known(projects, as),
    get mine() {
      return first('acme-owner', worldNames.mine[0])
    },
    get foreign() {
      return first('globex-owner', worldNames.foreign[0])
    },
  }
}

/** The personas of the demo, by the names that are their cookies in the mock. */
export const personas: Persona[] = [
  'acme-owner',
  'acme-member',
  'acme-viewer',
  'globex-owner',
  'no-organization',
  'no-team',
  'expired',
]

/** The cookies of a mock, if that is what answers: there a persona's name is its cookie. */
export async function mockCookies(ask: (cookie: string) => Promise<Answer>): Promise<Map<Persona, string>> {
  const cookies = new Map<Persona, string>()
  for (const persona of personas) {
    const { status, json } = await ask(`session=${persona}`)
    const isOpen = status === 200 && Object(json).devMode === true
    if (isOpen || (withoutBundle.includes(persona) && cookies.size > 0))
      cookies.set(persona, `session=${persona}`)
  }
  return cookies
}

/** Gives the cookies that there are. @throws NotGivenError for others */
export const cookieOfGiven =
  (cookies: ReadonlyMap<Persona, string>): CookieOf =>
  (persona) => {
    const cookie = cookies.get(persona)
    if (cookie === undefined) throw new NotGivenError(`no cookie of ${persona} was given`)
    return cookie
  }
