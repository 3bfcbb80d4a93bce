import { type ErrorCode, errors } from '../../contract/errors.js'
import type { Project } from '../../contract/schemas.js'
import type { Case, Expectation, Persona, Step } from './case.js'
import { bundle, create, join, list, update } from './requests.js'

// Cases are written as tables: the steps of each by its title. A step expects the success of its operation, unless
// something else is said.

type Steps = Step | Case['steps']
/** The requirement of cases, or what they have in common beside it. */
type About = string | Omit<Case, 'title' | 'steps'>

/**
 * Cases of one requirement: their steps by their titles, which say what a user relies on. Those that may change the
 * projects of the owner's team end with a list of them.
 */
export const table = (about: About, rows: Record<string, Steps>): Case[] =>
  Object.entries(rows).map(([title, steps]): Case => {
    const common = typeof about === 'string' ? { requirement: about } : about
    const all = [steps].flat()
    const listsAll = !common.addsOnly && all.flat().some(mayChange)
    return { title, ...common, steps: listsAll ? [...all, lists('acme-owner')] : all }
  })

const mayChange = ({ request }: Step): boolean =>
  typeof request === 'function' ||
  (!/^(GET|HEAD)$/.test(request.method) && request.path.includes('/projects'))

/** A table with a row for each item. */
export const each = <Item>(
  items: readonly Item[],
  about: About,
  title: (item: Item) => string,
  steps: (item: Item, i: number) => Steps,
): Case[] => items.flatMap((item, i) => table(about, { [title(item)]: steps(item, i) }))

/** The words of a text: a list whose items have no white space. */
export const words = (text: string): string[] => text.trim().split(/\s+/)

/** Every character of an ASCII text as `%` and two digits. */
export const percentEncoded = (text: string): string =>
  [...text].map((char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')

export const step = (request: Step['request'], expect?: Step['expect']): Step => ({ request, expect })

export type Changes = Partial<Pick<Project, 'name' | 'status'>> & { description?: string }
type As = Persona | undefined

export const lists = (as: As, expect?: Step['expect']) => step(list(as), expect)
export const bundles = (as: As, expect?: Step['expect']) => step(bundle(as), expect)
export const joins = (json: unknown, expect?: Step['expect']) => step(join(json), expect)
export const creates = (as: As, json: Changes, expect?: Step['expect']) => step(create(as, json), expect)
export const updates = (as: As, id: string, json: Changes, expect?: Step['expect']) =>
  step(update(as, id, json), expect)

/** Updates the project of an earlier response of the case. */
export const updatesEarlier = (as: Persona, i: number, json: Changes, expect?: Step['expect']): Step =>
  step(({ responses }) => update(as, Object(responses.at(i)?.json).project.id, json), expect)

/** The error body (section 2.4) of a code, by default with the status of the error catalogue. */
export const failure = (code: ErrorCode, status: number = errors[code].status): Expectation => ({
  status,
  has: { code },
})

/**
 * The validation error body (section 2.5) with messages for exactly these fields; `form`: with messages for the body as
 * a whole; null: without details.
 */
export const invalid = (fields: string[] | null, form = false): Expectation => ({
  status: 422,
  has: {
    code: 'VALIDATION_FAILED',
    details: fields && {
      formErrors: ({ length }: string[]) => length > 0 === form,
      fieldErrors: (found: object) => `${Object.keys(found).sort()}` === `${[...fields].sort()}`,
    },
  },
})
