import { type ErrorCode, errors } from '../../contract/errors.js'
import type { AnyStep, Case, Expectation, Persona, Step } from './case.js'

// Cases are written as tables: the steps of each by its title.

type Steps = AnyStep | Case['steps']
/** The requirement of cases, and their mode if it is one. */
type About = string | Pick<Case, 'requirement' | 'mode'>

/**
 * Cases of one requirement: their steps by their titles, which say what a user relies on. Those that may change the
 * projects of the owner's team end with a list of them.
 */
export const table = (about: About, rows: Record<string, Steps>): Case[] =>
  Object.entries(rows).map(([title, steps]): Case => {
    const common = typeof about === 'string' ? { requirement: about } : about
    const all = [steps].flat()
    return { title, ...common, steps: all.flat().some(mayChange) ? [...all, list('acme-owner')] : all }
  })

const mayChange = (step: AnyStep): boolean =>
  typeof step === 'function' || (!/^(GET|HEAD)$/.test(step.method) && step.path.includes('/projects'))

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

/** The largest body in bytes. Not imported from the contract: the suite must notice if the limit changes. */
export const bodyLimit = 65_536

/** Placeholders in a path for the ids of the two projects of the test data. */
export const own = '{own}'
export const foreign = '{foreign}'

type As = Persona | undefined
type Expect = Step['expect']

const request = (method: string, path: string, as: As, json: unknown, expect: Expect): Step => ({
  method,
  path,
  as,
  json,
  expect,
})

// Requests to the operations of section 4. They succeed, unless something else is expected.

export const list = (as?: As, expect?: Expect) => request('GET', '/v1/projects', as, undefined, expect)
export const bundle = (as?: As, expect?: Expect) => request('GET', '/v1/auth/me', as, undefined, expect)
export const create = (as: As, json?: unknown, expect?: Expect) =>
  request('POST', '/v1/projects', as, json, expect)
/** @param id the project id as it is written in the path, percent-encoded where needed */
export const update = (as: As, id: string, json?: unknown, expect?: Expect) =>
  request('PATCH', `/v1/projects/${id}`, as, json, expect)
export const join = (json?: unknown, expect?: Expect) =>
  request('POST', '/v1/waitlist', undefined, json, expect)

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Updates the project of an earlier response of the case. */
export const updateEarlier =
  (as: Persona, i: number, json: object, expect?: Expectation): AnyStep =>
  ({ responses }) =>
    update(as, Object(responses.at(i)?.json).project.id, json, expect)

/** The error body (section 2.4) of a code, by default with the status of the error catalogue. */
export const failure = (code: ErrorCode, status: number = errors[code].status): Expectation => ({
  status,
  has: { code },
})

export const lacking = failure('INSUFFICIENT_PERMISSIONS')
export const taken = failure('PROJECT_NAME_TAKEN')

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
