import type { Project, SessionBundle } from '../../contract/schemas.js'
import { canonicalJson } from './canonical-json.js'
import type { Case, CaseContext, Concurrent, Expectation, Persona, Step } from './case.js'
import { allProjects, created, joined, projectIn, updated } from './expectations.js'
import { bundle, create, join, list, update } from './requests.js'

// Cases are written as tables: the steps of each by its title.

type Steps = Step | readonly (Step | Concurrent)[]
type More = Pick<Case, 'mode' | 'addsOnly'>

/** Cases of one requirement: their steps by their titles, which say what a user relies on. */
export const table = (requirement: string, rows: Record<string, Steps>, more?: More): Case[] =>
  Object.entries(rows).map(([title, steps]) => ({ title, requirement, steps: [steps].flat(), ...more }))

/** A table with a row for each item. */
export const each = <Item>(
  items: readonly Item[],
  requirement: string,
  title: (item: Item) => string,
  steps: (item: Item, i: number) => Steps,
  more?: More,
): Case[] => items.flatMap((item, i) => table(requirement, { [title(item)]: steps(item, i) }, more))

/** The words of a text: a list whose items have no white space. */
export const words = (text: string): string[] => text.trim().split(/\s+/)

export const step = (request: Step['request'], expect: Step['expect']): Step => ({ request, expect })

type Changes = { name?: string; description?: string; status?: string }

// Steps that send a request and expect its success, unless something else is said.

export const creates = (
  as: Persona | undefined,
  json: { name: string; description?: string },
  expect: Step['expect'] = created(json),
): Step => step(create(as, json), expect)

export const updates = (
  as: Persona | undefined,
  id: string,
  json: Changes,
  expect: Step['expect'] = updated(json),
): Step => step(update(as, id, json), expect)

export const joins = (json: unknown, expect: Expectation = joined): Step => step(join(json), expect)

/** Reads all projects as they were, except for these values of the own project. */
export const lists = (as: Persona, changes?: Changes): Step => step(list(as), allProjects(as, changes))

/** Every character of an ASCII text as `%` and two digits. */
export const percentEncoded = (text: string): string =>
  [...text].map((char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')

/** Reads the list, of which a condition must hold; `expected` describes it in messages. */
export const listed = (
  as: Persona,
  expected: string,
  holds: (projects: Project[], context: CaseContext) => boolean,
): Step =>
  step(list(as), (context) => ({
    status: 200,
    expected,
    has: { projects: (projects: Project[]) => holds(projects, context) },
  }))

/** Reads the session bundle, of which a condition must hold; `expected` describes it in messages. */
export const bundled = (
  as: Persona,
  expected: string,
  holds: (session: SessionBundle, context: CaseContext) => boolean,
): Step =>
  step(bundle(as), {
    status: 200,
    expected,
    has: (context) => (session: SessionBundle) => holds(session, context),
  })

/** Reads the session bundle, which has the data of the caller. */
export const bundles = (as: Persona): Step =>
  bundled(
    as,
    "expected the caller's data",
    ({ devMode: _, role: __, ...session }, { data }) =>
      canonicalJson(session) === canonicalJson(data.bundle(as)),
  )

/** Updates the project of an earlier response of the case. */
export const updatesEarlier = (
  as: Persona,
  i: number,
  json: Changes,
  expect: Step['expect'] = updated(json),
): Step => step(({ responses }) => update(as, projectIn(responses.at(i)).id, json), expect)
