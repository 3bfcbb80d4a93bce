import * as z from 'zod'
import { avoidEval } from '../contract/avoid-eval.js'
import { emailAddress, nonEmptyText, Project, text, User } from '../contract/schemas.js'
import { MockPart } from './mock-part.js'

// The state file: fixtures, seeds and snapshots in one format, loadable into any store.

const restore = avoidEval()

/** The maximum length of a text that identifies a record. PostgreSQL's index entries have at most 2,704 bytes. */
const maxKeyLength = 255
const id = z
  .string()
  .max(maxKeyLength)
  .regex(/^[\w.:@-]+$/, 'Use letters, digits and _ . : @ - only')
/** An organisation code, or a part of an identity. */
export const keyText = () => nonEmptyText().max(maxKeyLength)
const time = z.iso.datetime({
  precision: 3,
  error: 'Use RFC 3339 in UTC with milliseconds, e.g. 2026-01-31T12:00:00.000Z',
})

const maxFaults = 100

/** An array that stops at the hundredth fault: zod would keep millions of faults of a large file. */
const list = <Item extends z.ZodType>(item: Item) =>
  z.array(z.custom<z.input<Item>>()).transform((values, context) => {
    const parsed: z.output<Item>[] = []
    for (const [i, value] of values.entries()) {
      if (context.issues.length > maxFaults) break
      const result = item.safeParse(value)
      if (result.success) parsed.push(result.data)
      else context.issues.push(...result.error.issues.map((issue) => atIndex(issue, i)))
    }
    return parsed
  })

const atIndex = ({ path, message, input }: z.core.$ZodIssue, i: number): z.core.$ZodRawIssue => ({
  code: 'custom',
  path: [i, ...path],
  message,
  input,
})

export const Team = z.strictObject({ id, name: nonEmptyText(), orgCode: keyText() })
export type Team = z.infer<typeof Team>

/** A user's identity at an identity provider. Only the subject is unique, and only for its issuer. */
export type Identity = { issuer: string; subject: string }

/** A user. Only users who signed in at an identity provider have `issuer` and `subject`. */
export const UserRecord = User.extend({
  id,
  email: text().trim().toLowerCase(),
  givenName: text(),
  familyName: text(),
  picture: text(),
  issuer: keyText().optional(),
  subject: keyText().optional(),
}).refine(({ issuer, subject }) => (issuer === undefined) === (subject === undefined), {
  error: 'Give issuer and subject together, or neither',
})
export type UserRecord = z.infer<typeof UserRecord>

/** A session: a persona of the mock, or the session of a signed-in user in production. */
export const SessionRecord = z.strictObject({
  id: id.refine((value) => value !== 'active', { error: '"active" stands for the persona in use' }),
  userId: id,
  /** Absent if the caller has no organisation. */
  orgCode: keyText().optional(),
  permissions: list(text()),
  /** Shown only by the mock (section 2.2). Default: `member`. */
  role: nonEmptyText().optional(),
  /** A short description of a persona. */
  note: text().optional(),
  createdAt: time.optional(),
  lastSeenAt: time.optional(),
  expiresAt: time.optional(),
  revokedAt: time.optional(),
  /** The identity provider's session (`sid`), with which this session ends. */
  sid: keyText().optional(),
})
export type SessionRecord = z.infer<typeof SessionRecord>

export const WaitlistEntry = z.strictObject({
  email: emailAddress().refine((value) => value === value.toLowerCase(), {
    error: 'Must be in lower case',
  }),
  createdAt: time,
})
export type WaitlistEntry = z.infer<typeof WaitlistEntry>

const ProjectRecord = Project.extend({
  id,
  name: nonEmptyText(),
  description: text().nullable(),
  status: nonEmptyText(),
  teamId: id,
  createdAt: time,
})

export const recordSchemas = {
  teams: Team,
  users: UserRecord,
  sessions: SessionRecord,
  projects: ProjectRecord,
  waitlist: WaitlistEntry,
}

const shape = {
  teams: list(Team).default([]),
  users: list(UserRecord).default([]),
  sessions: list(SessionRecord).default([]),
  projects: list(ProjectRecord).default([]),
  waitlist: list(WaitlistEntry).default([]),
}

export const StateFile = z.strictObject({
  $schema: z.string().optional(),
  version: z.literal(1),
  ...shape,
  /** What a mock has beside its records. */
  mock: MockPart.optional(),
})
restore()
export type StateKind = keyof typeof shape
export type State = Omit<z.output<typeof StateFile>, '$schema'>
export type StateRecord = State[StateKind][number]
export type StateCounts = Record<StateKind, number>

export const stateKinds = Object.keys(shape) as StateKind[]

/** The field that identifies a record of a kind. */
export const keyField = (kind: StateKind): 'id' | 'email' => (kind === 'waitlist' ? 'email' : 'id')

export const emptyState = (): State => StateFile.parse({ version: 1 })

/**
 * A fault of a state file and its path, for example `projects[3].teamId: no team "t9"`, with its position in a text; line and
 * column count from 1.
 */
export type StateFault = { path: string; reason: string; position?: { line: number; column: number } }

/** A refused state file, with its first faults. No record was loaded. */
export class StateError extends Error {
  override name = 'StateError'
  readonly faults: StateFault[]
  /** Whether there are further faults. */
  readonly hasMore: boolean

  constructor(faults: StateFault[], hasMore = faults.length > maxFaults) {
    const reported = faults.slice(0, maxFaults).map((fault) => ({ ...fault, reason: shorten(fault.reason) }))
    const lines = reported.map(lineOf)
    if (hasMore) lines.push(`and more: these are the first ${maxFaults} faults`)
    super(lines.join('\n'))
    this.faults = reported
    this.hasMore = hasMore
  }
}

function lineOf({ path, reason, position }: StateFault): string {
  const place = position && `line ${position.line}, column ${position.column}`
  return [place, path, reason].filter(Boolean).join(': ')
}

/** A message may quote the file: only its beginning is kept. */
const shorten = (text: string): string => (text.length > 500 ? `${text.slice(0, 500)}…` : text)

/**
 * Validates a parsed state file: schema, unique ids and references.
 * @throws StateError with the path and reason of each fault, at most 100
 */
export function parseState(value: unknown): State {
  const parsed = StateFile.safeParse(value)
  if (!parsed.success) {
    throw new StateError(
      parsed.error.issues.map(({ path, message }) => ({ path: pathOf(path), reason: message })),
    )
  }
  const { $schema: _, ...state } = parsed.data
  const faults: StateFault[] = Object.entries(state.mock?.snapshots ?? {}).flatMap(([name, snapshot]) =>
    faultsBelow(`mock.snapshots.${name}`, () => parseState(snapshot)),
  )
  const find = positionsIn(state)
  for (const kind of stateKinds) {
    for (const [i, record] of state[kind].entries()) {
      if (faults.length <= maxFaults) faults.push(...relationFaults(kind, record, i, find))
    }
  }
  if (faults.length > 0) throw new StateError(faults)
  return state
}

/** The faults of a part of a state file, with their paths in the file. */
export function faultsBelow(path: string, parse: () => unknown): StateFault[] {
  try {
    parse()
    return []
  } catch (error) {
    if (!(error instanceof StateError)) throw error
    return error.faults.map((fault) => ({ ...fault, path: [path, fault.path].filter(Boolean).join('.') }))
  }
}

/** The records of a state, without what a mock has beside them. */
export const recordsOf = ({ mock: _, ...records }: State): State => records

export const zeroCounts = (): StateCounts => ({ teams: 0, users: 0, sessions: 0, projects: 0, waitlist: 0 })

/** The key of a user's identity, if there is one. */
export const identityKey = ({ issuer, subject }: Partial<Identity>): string | undefined =>
  issuer === undefined || subject === undefined ? undefined : JSON.stringify([issuer, subject])

/**
 * Refuses teams or users with an organisation code or identity of another team or user in the store.
 * @param teamIds the ids of the store's teams by organisation code
 * @param userIds the ids of the store's users by identity key
 * @throws StateError with the path of each
 */
export function refuseTaken(
  { teams, users }: State,
  teamIds: ReadonlyMap<string, string>,
  userIds: ReadonlyMap<string | undefined, string>,
): void {
  const faults: StateFault[] = []
  const check = (id: string, owner: string | undefined, kind: string, path: string, value?: string) => {
    if (owner === undefined || owner === id) return
    faults.push({ path, reason: `"${value}" belongs to ${kind} "${owner}" already` })
  }
  for (const [i, { id, orgCode }] of teams.entries()) {
    check(id, teamIds.get(orgCode), 'team', `teams[${i}].orgCode`, orgCode)
  }
  for (const [i, user] of users.entries()) {
    check(user.id, userIds.get(identityKey(user)), 'user', `users[${i}].subject`, user.subject)
  }
  if (faults.length > 0) throw new StateError(faults)
}

/** The path of a fault, for example `projects[3].teamId`. */
export const pathOf = (path: readonly PropertyKey[]): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .slice(1)

type Field = [name: string, keyOf: (record: StateRecord) => string | undefined]

const field = (name: string): Field => [name, (record) => Reflect.get(record, name)]

/** The unique fields of each kind, with the compared value. */
const uniqueFields: Record<StateKind, Field[]> = {
  teams: [field('id'), field('orgCode')],
  users: [field('id'), ['subject', (record) => identityKey(record as Partial<Identity>)]],
  sessions: [field('id')],
  projects: [field('id')],
  waitlist: [field('email')],
}

/** The fields that refer to a record of another kind. */
const references: Partial<Record<StateKind, { name: string; kind: StateKind; noun: string }>> = {
  sessions: { name: 'userId', kind: 'users', noun: 'user' },
  projects: { name: 'teamId', kind: 'teams', noun: 'team' },
}

/** Returns the position of the first record with a value in a unique field. */
export type FindPosition = (kind: StateKind, field: string, key: string) => number | undefined

/** The faults of a record among all others: repeated values of unique fields, and broken references. */
export function relationFaults(
  kind: StateKind,
  record: StateRecord,
  position: number,
  find: FindPosition,
): StateFault[] {
  const faults: StateFault[] = []
  const path = `${kind}[${position}]`
  for (const [name, keyOf] of uniqueFields[kind]) {
    const key = keyOf(record)
    const earlier = key === undefined ? undefined : find(kind, name, key)
    if (earlier === undefined || earlier === position) continue
    const reason = `"${Reflect.get(record, name)}" is already at ${kind}[${earlier}]`
    faults.push({ path: `${path}.${name}`, reason })
  }
  const reference = references[kind]
  const id = reference && Reflect.get(record, reference.name)
  if (reference && find(reference.kind, 'id', id) === undefined) {
    faults.push({ path: `${path}.${reference.name}`, reason: `no ${reference.noun} "${id}"` })
  }
  return faults
}

export function positionsIn(state: State): FindPosition {
  const positions = new Map<string, Map<string, number>>()
  for (const kind of stateKinds) {
    for (const [name, keyOf] of uniqueFields[kind]) {
      const ofField = new Map<string, number>()
      positions.set(`${kind}.${name}`, ofField)
      for (const [i, record] of state[kind].entries()) {
        const key = keyOf(record)
        if (key !== undefined && !ofField.has(key)) ofField.set(key, i)
      }
    }
  }
  return (kind, name, key) => positions.get(`${kind}.${name}`)?.get(key)
}
